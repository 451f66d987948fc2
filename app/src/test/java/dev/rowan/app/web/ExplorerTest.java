package dev.rowan.app.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class ExplorerTest extends ServerFixture {
  private static final String NEAR = "/api/v1/near?token=east&k=2";

  @Test
  void otherMachinesNeedAToken() {
    assertThatThrownBy(() -> new ExplorerSettings("0.0.0.0", 0, Optional.empty(), List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("give a token");
    assertThatThrownBy(() -> new ExplorerSettings("127.0.0.1", 0, Optional.of("x"), List.of()))
        .hasMessageContaining("16 or more");
    assertThatThrownBy(() -> new ExplorerSettings("127.0.0.1", 65_536, Optional.empty(), List.of()))
        .hasMessageContaining("0 to 65,535");
  }

  @Test
  void saysWhatToDoWhereThePortIsTaken() {
    SmallModel model = new SmallModel();
    assertThatThrownBy(() ->
            Explorer.start(
                new ExplorerSettings("127.0.0.1", server.port(), Optional.empty(), List.of()),
                new ServedModels(Map.of("small", model), List.of(), _ -> model),
                TrainingPlaces.NONE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("--port");
    model.close();
  }

  @Test
  void manyClientsAtOnceGetTheSameAnswer() throws Exception {
    String want = server.get(NEAR).body();
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> answers = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        answers.add(clients.submit(() -> server.get(NEAR).body()));
      }
      for (Future<String> answer : answers) {
        assertThat(answer.get()).isEqualTo(want);
      }
    }
  }
}
