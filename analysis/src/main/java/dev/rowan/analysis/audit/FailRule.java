package dev.rowan.analysis.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A condition on which an audit fails: a rule found more than so many.
 *
 * @param allowed how many are allowed, 0 or more
 */
public record FailRule(Rule rule, long allowed) {
  private static final Pattern FORM = Pattern.compile("([a-z-]+)\\s*(?:>\\s*(\\d{1,15}))?");

  /**
   * Reads conditions apart by commas: {@code non-finite,zero>10}; a rule alone allows none.
   *
   * @throws IllegalArgumentException if one cannot be read
   */
  public static List<FailRule> parse(String text) {
    List<FailRule> rules = new ArrayList<>();
    for (String entry : text.split(",", -1)) {
      Matcher matcher = FORM.matcher(entry.strip());
      if (!matcher.matches()) {
        throw new IllegalArgumentException(
            "\"%s\" is no condition; write RULE or RULE>N, such as non-finite,zero>10"
                .formatted(entry.strip()));
      }
      String label = matcher.group(1);
      Rule rule =
          Rule.of(label)
              .orElseThrow(() ->
                  new IllegalArgumentException(
                      "there is no rule \"%s\"; there are %s"
                          .formatted(label, String.join(", ", Rule.labels()))));
      String count = matcher.group(2);
      rules.add(new FailRule(rule, count == null ? 0 : Long.parseLong(count)));
    }
    return rules;
  }

  /**
   * A condition that an audit does not meet.
   *
   * @param found what the rule found and the baseline does not know
   */
  public record Violation(FailRule condition, List<Finding> found) {
    /** Copies the findings. */
    public Violation {
      found = List.copyOf(found);
    }
  }

  /** Returns the conditions that an audit does not meet, known findings left out. */
  public static List<Violation> violations(List<FailRule> rules, Audit audit, Baseline known) {
    List<Violation> violations = new ArrayList<>();
    for (FailRule condition : rules) {
      List<Finding> unknown =
          audit.found(condition.rule()).stream()
              .filter(finding -> !known.knows(condition.rule(), finding.id()))
              .toList();
      if (unknown.size() > condition.allowed()) {
        violations.add(new Violation(condition, unknown));
      }
    }
    return violations;
  }
}
