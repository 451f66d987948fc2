package dev.rowan.analysis.audit;

import dev.rowan.core.Counted;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;

/**
 * An audit as one HTML page that needs nothing else: styles and charts are in it, nothing is
 * loaded, no script runs. For a light or a dark screen, and for print.
 */
public final class HtmlReport {
  private static final int MOST_CANDIDATES = 200;
  private static final int MOST_FINDINGS = 50;

  private static final String STYLE =
      """
      :root{color-scheme:light dark;--ink:#1d2433;--soft:#5b667a;--faint:#8792a6;--paper:#fbfbfd;--card:#fff;
      --line:#e3e7ee;--blue:#2f6db3;--fill:#a9c6e8;--red:#c2412d;--amber:#b57a11;--green:#2c8a57}
      @media(prefers-color-scheme:dark){:root{--ink:#e6eaf2;--soft:#a5b0c4;--faint:#76829a;--paper:#11151c;
      --card:#181d27;--line:#2a3140;--blue:#7db2ee;--fill:#35557d;--red:#f0816d;--amber:#e3b04b;--green:#6bc795}}
      *{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);
      font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
      main{max-width:980px;margin:0 auto;padding:2.2rem 1.2rem 4rem}
      h1{font-size:1.55rem;margin:0 0 .2rem;letter-spacing:-.01em}h2{font-size:1.08rem;margin:0 0 .7rem}
      p{margin:.3rem 0}.sub{color:var(--soft)}section{background:var(--card);border:1px solid var(--line);
      border-radius:12px;padding:1.1rem 1.25rem;margin:1.1rem 0}
      .tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:.7rem;margin:1.2rem 0}
      .tile{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:.7rem .9rem}
      .tile b{display:block;font-size:1.35rem;font-variant-numeric:tabular-nums;line-height:1.25}
      .tile span{color:var(--soft);font-size:.84rem}.bad b{color:var(--red)}.warn b{color:var(--amber)}.good b{color:var(--green)}
      table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
      th{text-align:left;color:var(--soft);font-weight:600;font-size:.82rem}th,td{padding:.22rem .6rem .22rem 0;border-bottom:1px solid var(--line)}
      td.n,th.n{text-align:right}td.t{font-family:ui-monospace,"SF Mono",Menlo,Consolas,monospace;font-size:.9rem;overflow-wrap:anywhere}
      .scroll{overflow-x:auto}figure{margin:0}figcaption{color:var(--soft);font-size:.85rem;margin-top:.3rem}
      svg{width:100%;height:auto;display:block}svg text{fill:var(--soft);font-size:12px}
      .axis{stroke:var(--line);stroke-width:1}.bar{fill:var(--fill)}.mark{stroke:var(--soft);stroke-width:1.5;stroke-dasharray:5 4}
      .mid{stroke:var(--blue);stroke-width:1.6;fill:none}.band{fill:var(--fill);opacity:.55}.dot{fill:var(--red)}
      .low{fill:var(--soft)}      .ref{fill:var(--amber)}details summary{cursor:pointer;color:var(--blue);margin:.35rem 0}
      .key{display:inline-block;width:.7em;height:.7em;border-radius:50%;margin:0 .3em 0 .8em}
      @media print{body{background:#fff}section,.tile{break-inside:avoid}}
      """;

  private final Audit audit;
  private final String title;
  private final LongFunction<String> names;

  private HtmlReport(Audit audit, String title, LongFunction<String> names) {
    this.audit = audit;
    this.title = title;
    this.names = names;
  }

  /**
   * Returns the page.
   *
   * @param title what was audited
   * @param names a token's text for people, with its spaces visible
   */
  public static String of(Audit audit, String title, LongFunction<String> names) {
    return new HtmlReport(audit, title, names).page();
  }

  private String page() {
    StringBuilder html = new StringBuilder();
    html.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
        .append("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">")
        .append(
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">")
        .append("<title>Audit of ")
        .append(escaped(title))
        .append("</title>\n<style>\n")
        .append(STYLE)
        .append("</style></head>\n<body><main>\n");
    html.append(
        "<h1>Token table audit</h1>\n<p class=\"sub\">%s: %s × %,d</p>\n"
            .formatted(escaped(title), Counted.of(audit.rows(), "row"), audit.width()));
    tiles(html);
    indicator(html);
    candidates(html);
    norms(html);
    findings(html);
    classes(html);
    html.append("<section><h2>How to read this</h2>\n");
    audit
        .notes()
        .forEach(note -> html.append("<p>").append(escaped(sentence(note))).append("</p>\n"));
    html.append(
        "<p class=\"sub\">Indicators after Land and Bartolo 2024, arXiv 2405.05417; sums in float64. Made by Rowan.</p></section>\n");
    return html.append("</main></body></html>\n").toString();
  }

  private void tiles(StringBuilder html) {
    html.append("<div class=\"tiles\">\n");
    if (Double.isNaN(audit.cutoff())) {
      tile(html, "", "–", Rule.UNDER_TRAINED.title() + ": no cut-off");
    } else {
      tile(html, Rule.UNDER_TRAINED);
    }
    tile(html, "", count(audit.classes().count(TokenClass.UNREACHABLE)), "unreachable tokens");
    for (Rule rule : Rule.values()) {
      if (rule != Rule.UNDER_TRAINED) {
        tile(html, rule);
      }
    }
    html.append("</div>\n");
  }

  private String tone(Rule rule) {
    boolean broken = rule == Rule.NON_FINITE || rule == Rule.TOKEN_WITHOUT_ROW;
    return audit.found(rule).isEmpty() ? "good" : broken ? "bad" : "warn";
  }

  private void tile(StringBuilder html, Rule rule) {
    tile(html, tone(rule), count(audit.found(rule).size()), rule.title());
  }

  private static void tile(StringBuilder html, String tone, String figure, String name) {
    html.append(
        "<div class=\"tile %s\"><b>%s</b><span>%s</span></div>\n"
            .formatted(tone, figure, escaped(name)));
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private void indicator(StringBuilder html) {
    Measured ranking = audit.ranking();
    html.append(
        "<section><h2>Indicator by id: %s</h2>\n<figure>"
            .formatted(escaped(ranking.indicator().title())));
    html.append(new IndicatorChart(audit).svg());
    html.append("<figcaption>").append(legend(ranking)).append("</figcaption></figure>\n");
    html.append("<p>%s.</p>\n".formatted(escaped(sentenceStart(audit.why()))));
    audit
        .reference()
        .ifPresent(reference ->
            html.append(
                "<p>Reference: %s, %s (%s).</p>\n"
                    .formatted(
                        Counted.of(reference.ids().length, "row"),
                        escaped(reference.kind().title()),
                        escaped(Ranges.of(reference.ids(), 8)))));
    html.append(
        "<div class=\"scroll\"><table><tr><th>indicator</th><th class=\"n\">mean</th><th class=\"n\">sd</th><th class=\"n\">2 % threshold</th></tr>\n");
    for (Measured m : audit.measured()) {
      html.append(
          "<tr><td>%s</td><td class=\"n\">%s</td><td class=\"n\">%s</td><td class=\"n\">%s</td></tr>\n"
              .formatted(
                  escaped(m.indicator().title()),
                  number(m.mean()),
                  number(m.sd()),
                  number(m.threshold())));
    }
    html.append("</table></div></section>\n");
  }

  /** Says what the chart shows, of what there is. */
  private String legend(Measured ranking) {
    StringBuilder legend =
        new StringBuilder(
            IndicatorChart.hasBand(ranking.values().length)
                ? "Band: the middle 90 % of the tokens at those ids; line: their median."
                : "");
    if (!audit.found(Rule.UNDER_TRAINED).isEmpty()) {
      legend.append(key("red", "under-trained"));
    }
    if (audit.candidates().stream().anyMatch(c -> !(c.value() <= audit.cutoff()))) {
      legend.append(key("soft", "the lowest 2 %, of any table"));
    }
    if (audit.reference().isPresent()) {
      legend.append(key("amber", "rows known to be unused"));
    }
    return Double.isNaN(ranking.threshold())
        ? legend.toString()
        : legend
            .append(" Dashes: the end of the lowest 2 %, ")
            .append(number(ranking.threshold()))
            .append('.')
            .toString();
  }

  private static String key(String colour, String what) {
    return "<span class=\"key\" style=\"background:var(--%s)\"></span>%s.".formatted(colour, what);
  }

  private void candidates(StringBuilder html) {
    List<Audit.Candidate> all = audit.candidates();
    html.append("<section><h2>Candidates, lowest first</h2>\n");
    html.append(
        "<p>%s at or below the threshold, which takes 2 %% of any table; %s.</p>\n"
            .formatted(
                Counted.of(all.size(), "reachable token lies", "reachable tokens lie"),
                escaped(audit.underTrainedText())));
    html.append(
        "<div class=\"scroll\"><table><tr><th class=\"n\">id</th><th>token</th><th class=\"n\">indicator</th><th class=\"n\">sd from mean</th></tr>\n");
    for (Audit.Candidate c : all.subList(0, Math.min(25, all.size()))) {
      row(html, c);
    }
    html.append("</table></div>\n");
    if (all.size() > 25) {
      html.append(
          "<details><summary>%,d more</summary><div class=\"scroll\"><table>"
              .formatted(Math.min(MOST_CANDIDATES, all.size()) - 25));
      for (Audit.Candidate c : all.subList(25, Math.min(MOST_CANDIDATES, all.size()))) {
        row(html, c);
      }
      html.append("</table></div></details>\n");
    }
    html.append("</section>\n");
  }

  private void row(StringBuilder html, Audit.Candidate c) {
    html.append(
        "<tr><td class=\"n\">%d</td><td class=\"t\">%s</td><td class=\"n\">%s</td><td class=\"n\">%s</td></tr>\n"
            .formatted(
                c.id(),
                escaped(names.apply(c.id())),
                number(c.value()),
                String.format(Locale.ROOT, "%+.2f", c.z())));
  }

  private void norms(StringBuilder html) {
    Norms n = audit.norms();
    html.append("<section><h2>Norms</h2>\n<figure>").append(NormChart.of(audit).svg());
    html.append(
        "<figcaption>Norms of %s: mean %s, sd %s, median %s, from %s to %s.</figcaption></figure></section>\n"
            .formatted(
                Counted.of(n.rows(), "finite row"),
                number(n.mean()),
                number(n.sd()),
                number(n.median()),
                number(n.min()),
                number(n.max())));
  }

  private void findings(StringBuilder html) {
    html.append("<section><h2>Findings</h2>\n");
    boolean any = false;
    for (Rule rule : Rule.values()) {
      List<Finding> found = audit.found(rule);
      if (found.isEmpty() || rule == Rule.UNDER_TRAINED) {
        continue;
      }
      any = true;
      html.append(
          "<details><summary>%s: %,d</summary><div class=\"scroll\"><table>"
              .formatted(escaped(rule.title()), found.size()));
      for (Finding f : found.subList(0, Math.min(MOST_FINDINGS, found.size()))) {
        html.append(
            "<tr><td class=\"n\">%d</td><td class=\"t\">%s</td><td>%s</td></tr>\n"
                .formatted(f.id(), escaped(names.apply(f.id())), escaped(f.reason())));
      }
      html.append("</table></div>");
      if (found.size() > MOST_FINDINGS) {
        html.append("<p class=\"sub\">and %,d more</p>".formatted(found.size() - MOST_FINDINGS));
      }
      html.append("</details>\n");
    }
    html.append(any ? "</section>\n" : "<p>No broken, repeated or surplus rows.</p></section>\n");
  }

  private void classes(StringBuilder html) {
    html.append("<section><h2>Tokens by what encoding makes of them</h2>\n<table>");
    for (TokenClass c : TokenClass.values()) {
      if (audit.classes().count(c) > 0) {
        html.append(
            "<tr><td>%s</td><td class=\"n\">%,d</td></tr>\n"
                .formatted(c.label(), audit.classes().count(c)));
      }
    }
    html.append("</table></section>\n");
  }

  private static String sentence(String note) {
    return sentenceStart(note) + ".";
  }

  private static String sentenceStart(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }

  static String number(double x) {
    return Double.isNaN(x)
        ? "–"
        : String.format(Locale.ROOT, Math.abs(x) < 0.001 && x != 0 ? "%.3e" : "%.4f", x);
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
