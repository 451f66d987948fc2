package dev.rowan.app.cli;

import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Keeps an option whose number may be left away from taking the word behind it for one. */
final class NumberOrNothing implements IParameterPreprocessor {
  @Override
  @SuppressWarnings("JdkObsolete") // picocli hands a Stack
  public boolean preprocess(
      Stack<String> words, CommandSpec command, ArgSpec argument, Map<String, Object> details) {
    boolean apart = " ".equals(details.get("separator"));
    if (apart && (words.isEmpty() || !words.peek().matches("[+-]?\\d[\\d-]*"))) {
      words.push(((OptionSpec) argument).fallbackValue());
    }
    return false;
  }
}
