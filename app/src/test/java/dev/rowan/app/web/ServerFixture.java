package dev.rowan.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** One server for the tests of a class. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class ServerFixture {
  Server server;

  @BeforeAll
  void start() throws IOException {
    server = new Server();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  /** Returns the data of the first event of a name. */
  static Object event(String name, String stream) {
    Matcher matcher = Pattern.compile("event: " + name + "\ndata: (.*)\n").matcher(stream);
    assertThat(matcher.find()).as(stream).isTrue();
    return JsonTree.parse(matcher.group(1));
  }
}
