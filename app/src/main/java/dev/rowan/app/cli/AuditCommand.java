package dev.rowan.app.cli;

import dev.rowan.analysis.audit.Audit;
import dev.rowan.analysis.audit.AuditOptions;
import dev.rowan.analysis.audit.Baseline;
import dev.rowan.analysis.audit.Encoder;
import dev.rowan.analysis.audit.FailRule;
import dev.rowan.analysis.audit.HtmlReport;
import dev.rowan.analysis.audit.Indicator;
import dev.rowan.analysis.audit.Reference;
import dev.rowan.app.answers.Asked;
import dev.rowan.core.Lexicon;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Table;
import dev.rowan.formats.file.NewFile;
import dev.rowan.formats.file.NewFiles;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Suspicious rows. */
@Command(
    name = "audit",
    description = {
      "Find rows that training never or hardly reached, broken rows, duplicates, and rows without a"
          + " token.",
      "Rules: zero, constant, non-finite, denormal, duplicate, near-duplicate, row-without-token,"
          + " token-without-row, norm-outlier, initialisation, under-trained. With --fail-on the exit"
          + " code is 4 where one of them finds more than it may."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  rowan audit",
      "  rowan audit --html audit.html                     a page with charts",
      "  rowan audit --fail-on non-finite,zero>10          guards a model: exit code 4",
      "  rowan audit --write-baseline known.json           what is known from now on",
      "  rowan audit --baseline known.json --fail-on zero  fails on what is new",
      "  rowan audit path/to/gpt2 --reference 177-187"
    })
final class AuditCommand implements Verb {
  private static final long MOST_REFERENCE_BYTES = 16L << 20;

  @Mixin HelpOption help = new HelpOption();

  @Mixin ModelArgument argument = new ModelArgument();

  @Option(
      names = "-k",
      paramLabel = "N",
      description = "How many candidates to show (${DEFAULT-VALUE}).")
  int k = 20;

  @Option(
      names = "--reference",
      paramLabel = "IDS|FILE",
      description =
          "Rows known to be unused, such as 177-187,200, or a file of ids; found automatically if not given.")
  @Nullable String reference;

  @Option(
      names = "--indicator",
      paramLabel = "NAME",
      description =
          "norm, cosine, centred, component-removed or distance; cosine for tied tables, else norm.")
  @Nullable String indicator;

  @Option(
      names = "--near-duplicates",
      paramLabel = "COSINE|off",
      description = "From which cosine on rows are near duplicates (${DEFAULT-VALUE}).")
  String near = "0.999";

  @Option(
      names = "--initial-sd",
      paramLabel = "S",
      description = "Standard deviation that rows were initialised with (${DEFAULT-VALUE}).")
  double initialSd = AuditOptions.DEFAULT.initialSd();

  @Option(
      names = "--outlier",
      paramLabel = "Z",
      description = "How far out a norm must be, in robust standard deviations (${DEFAULT-VALUE}).")
  double outlier = AuditOptions.DEFAULT.outlierZ();

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Write a page with charts that needs nothing else.")
  @Nullable Path html;

  @Option(
      names = "--fail-on",
      paramLabel = "RULE",
      description =
          "End with exit code 4 if RULE finds anything, or RULE>N if more than N; several apart by commas.")
  List<String> failOn = new ArrayList<>();

  @Option(
      names = "--baseline",
      paramLabel = "FILE",
      description = "Findings that --fail-on leaves alone.")
  @Nullable Path baseline;

  @Option(
      names = "--write-baseline",
      paramLabel = "FILE",
      description = "Write what was found as a baseline.")
  @Nullable Path newBaseline;

  @Mixin ForceOption existing = new ForceOption();

  @Override
  public void run(Session session) throws IOException {
    argument.choose(session);
    NearCommand.checkK(k);
    existing.check(
        ForceOption.inputs(html, newBaseline),
        ForceOption.inputs(session.modelSpec(), session.globals().tokenizer, baseline, reference));
    List<FailRule> conditions =
        failOn.isEmpty() ? List.of() : FailRule.parse(String.join(",", failOn));
    NamedTable table = session.table();
    AuditOptions options = options(table.table());
    Baseline known =
        baseline == null ? Baseline.NONE : Baseline.read(baseline, table.table().rows());
    Audit audit;
    try (Progress _ = session.progress("auditing")) {
      audit = Audit.of(subject(session, table, options), options, session.workers());
    }
    List<FailRule.Violation> violations = FailRule.violations(conditions, audit, known);
    writeFiles(session, table, audit);
    AuditAnswer answer = new AuditAnswer(audit, table, session.asked(), k, violations);
    session.answer(answer::write, answer::print);
    if (!violations.isEmpty()) {
      throw new FailedCheck(answer.failure());
    }
  }

  private AuditOptions options(Table table) throws IOException {
    AuditOptions options =
        AuditOptions.DEFAULT
            .withInitialSd(initialSd)
            .withOutlierZ(outlier)
            .withNearCosine(nearCosine());
    String wanted = indicator;
    if (wanted != null) {
      options = options.withIndicator(indicator(wanted));
    }
    String rows = reference;
    return rows == null ? options : options.withReference(reference(rows, table.rows()));
  }

  private double nearCosine() {
    if (near.equals("off")) {
      return 2;
    }
    try {
      double cosine = Double.parseDouble(near);
      if (cosine > 0 && cosine <= 1) {
        return cosine;
      }
    } catch (NumberFormatException _) {
      // told below
    }
    throw new UseException(
        "--near-duplicates %s: it takes a cosine of more than 0, up to 1, or off"
            .formatted(Visible.quoted(near)));
  }

  private static Indicator indicator(String name) {
    return Arrays.stream(Indicator.values())
        .filter(i -> i.label().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new UseException(
                "--indicator %s: it takes one of %s"
                    .formatted(
                        Visible.quoted(name),
                        String.join(
                            ", ",
                            Arrays.stream(Indicator.values()).map(Indicator::label).toList()))));
  }

  private static Reference reference(String text, long rows) throws IOException {
    Optional<Path> file = file(text);
    if (file.isEmpty()) {
      return Reference.parse(text, rows);
    }
    if (Files.size(file.get()) > MOST_REFERENCE_BYTES) {
      throw new UseException(
          "%s has %,d bytes; a list of ids has at most %,d"
              .formatted(file.get(), Files.size(file.get()), MOST_REFERENCE_BYTES));
    }
    return Reference.parse(Files.readString(file.get(), StandardCharsets.ISO_8859_1), rows);
  }

  private static Optional<Path> file(String text) {
    try {
      return Optional.of(Path.of(text)).filter(Files::isRegularFile);
    } catch (InvalidPathException _) {
      return Optional.empty();
    }
  }

  private Audit.Subject subject(Session session, NamedTable table, AuditOptions options)
      throws IOException {
    Lexicon model = session.lexicon();
    Optional<Encoder> encoder = session.tokenizer().map(tokenizer -> tokenizer::encode);
    // of a remote model the output table is fetched only if somebody asks for what it tells
    boolean asked = options.indicator().map(Indicator::needsReference).orElse(false);
    Optional<NamedTable> output =
        model.tie().isTied() ? Optional.empty() : asked ? session.ownOutput() : model.output();
    return new Audit.Subject(
        table.table(),
        output.map(NamedTable::table).orElse(table.table()),
        model.tie(),
        model.vocabulary(),
        encoder);
  }

  private void writeFiles(Session session, NamedTable table, Audit audit) throws IOException {
    Map<Path, NewFiles.Writing> writings = new LinkedHashMap<>();
    List<String> remarks = new ArrayList<>();
    Path page = html;
    if (page != null) {
      Asked asked = session.asked();
      String title = session.lexicon().origin().path().getFileName() + ", " + table.tensor();
      byte[] bytes = HtmlReport.of(audit, title, asked::name).getBytes(StandardCharsets.UTF_8);
      writings.put(
          page, place -> NewFile.write(place, out -> out.append(MemorySegment.ofArray(bytes))));
      remarks.add("wrote %s, %,d bytes".formatted(page, bytes.length));
    }
    Path written = newBaseline;
    if (written != null) {
      writings.put(written, place -> Baseline.of(audit).write(place, audit));
      remarks.add("wrote " + written);
    }
    try (InterruptOnExit _ = InterruptOnExit.guard()) {
      existing.write(writings);
    }
    remarks.forEach(session::remark);
  }
}
