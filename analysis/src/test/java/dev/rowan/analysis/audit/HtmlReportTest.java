package dev.rowan.analysis.audit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HtmlReportTest {
  @Test
  void pageNeedsNothingElse() {
    String page = HtmlReport.of(new Planted().audit(), "a model", id -> "t" + id);
    assertThat(page)
        .doesNotContain("http:", "https:", "src=", "href=", "@import", "url(", "<script")
        .contains("<svg", "prefers-color-scheme:dark", "default-src 'none'");
  }

  @Test
  void tokensCannotBecomeMarkup() {
    String page = HtmlReport.of(new Planted().audit(), "<b>\"&", _ -> "<script>alert(1)</script>");
    assertThat(page)
        .doesNotContain("<script", "<b>\"")
        .contains("&lt;script&gt;", "&lt;b&gt;&quot;&amp;");
  }

  @Test
  void legendAndColoursFollowWhatIsThere() {
    String found = HtmlReport.of(new Planted().audit(), "a model", id -> "t" + id);
    assertThat(found)
        .contains("rows known to be unused.", "<circle class=\"ref\"")
        .contains(
            "%,d</b><span>under-trained tokens<".formatted(underTrained(new Planted().audit())));
    Planted plain = new Planted();
    for (int id = 0; id < 40; id++) {
      plain.words.set(id, "u" + id);
      plain.set(id, plain.noise(0.11));
    }
    Audit audit = plain.audit();
    assertThat(audit.reference()).isEmpty();
    assertThat(underTrained(audit)).isZero();
    assertThat(audit.candidates()).isNotEmpty();
    assertThat(HtmlReport.of(audit, "a model", id -> "t" + id))
        .doesNotContain("rows known to be unused.", "class=\"ref\"", "class=\"dot\"")
        .doesNotContain("</span>under-trained.")
        .contains("</span>the lowest 2 %, of any table.", "<circle class=\"low\"")
        .contains("<div class=\"tile good\"><b>0</b><span>under-trained tokens<");
  }

  private static int underTrained(Audit audit) {
    return audit.found(Rule.UNDER_TRAINED).size();
  }
}
