package dev.rowan.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tokens, gated models, and addresses that lead elsewhere. */
class AccessTest extends HubFixture {
  private static FakeHub.Rule refusal(int status, String code) {
    return (host, exchange) -> {
      if (host.equals("front")) {
        exchange.getResponseHeaders().set("X-Error-Code", code);
        FakeHub.send(exchange, status, "{}");
        return true;
      }
      return false;
    };
  }

  @Test
  void sendsTheTokenToTheHubAndNobodyElse() throws IOException {
    serveModel();
    open(withToken("hf_secret"), SPEC, Tables.INPUT).close();
    assertThat(server.asked("front"))
        .isNotEmpty()
        .allMatch(r -> r.authorization().equals(java.util.Optional.of("Bearer hf_secret")));
    assertThat(server.asked("store")).isNotEmpty().allMatch(r -> r.authorization().isEmpty());
  }

  @Test
  void neverShowsTheTokenNorTheSignatureOfAnAddress() {
    serveModel();
    server.rule =
        (host, exchange) -> {
          if (host.equals("store")) {
            FakeHub.send(exchange, 418, "no");
            return true;
          }
          return false;
        };
    HubSettings how = withToken("hf_secret");
    assertThat(how.toString()).doesNotContain("hf_secret");
    assertThatThrownBy(() -> open(how, SPEC, Tables.INPUT))
        .isInstanceOf(HubException.class)
        .hasMessageNotContaining("secret");
  }

  @Test
  void explainsAGatedModelWithoutAToken() {
    server.rule = refusal(401, "GatedRepo");
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(HubException.class)
        .hasMessage(
            "hf:owner/name: this model is gated: its authors let in those who accept their terms. Accept them at %1$s/owner/name, then set HF_TOKEN to a token from %1$s/settings/tokens"
                .formatted(server.endpoint()));
  }

  @Test
  void explainsAGatedModelWhoseTermsTheAccountHasNotAccepted() {
    server.rule = refusal(403, "GatedRepo");
    assertThatThrownBy(() -> open(withToken("hf_secret"), SPEC, Tables.INPUT))
        .isInstanceOf(HubException.class)
        .hasMessageContaining("the account of the token in HF_TOKEN is not let in (yet)");
  }

  @Test
  void explainsThatAMissingModelMayBePrivate() {
    server.rule = refusal(401, "RepoNotFound");
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(HubException.class)
        .hasMessageContaining(
            "shows no such model (HTTP 401); check the spelling; if it is private,");
  }

  @Test
  void explainsARefusedToken() {
    server.rule = refusal(401, "");
    assertThatThrownBy(() -> open(withToken("hf_secret"), SPEC, Tables.INPUT))
        .isInstanceOf(HubException.class)
        .hasMessageContaining("does not accept the token in HF_TOKEN (HTTP 401)");
  }

  @Test
  void namesAMissingRevision() {
    server.rule = refusal(404, "RevisionNotFound");
    assertThatThrownBy(() -> open(SPEC + "@v9"))
        .isInstanceOf(HubException.class)
        .hasMessageContaining("this model has no revision \"v9\"");
  }

  @Test
  void saysThatThereIsNoSuchModel() {
    assertThatThrownBy(() -> open("hf:owner/other"))
        .isInstanceOf(HubException.class)
        .hasMessageContaining("shows no such model (HTTP 404)");
  }

  private static FakeHub.Rule refusalOfWeights(String host, int status, String code) {
    return (asked, exchange) -> {
      String path = exchange.getRequestURI().getPath();
      boolean weights = asked.equals(host) && path.endsWith("/model.safetensors");
      if (weights) {
        exchange.getResponseHeaders().set("X-Error-Code", code);
        FakeHub.send(exchange, status, "no");
      }
      return weights;
    };
  }

  @Test
  void saysWhichFileOfAModelIsMissingOrRefused() {
    serveModel();
    for (int status : new int[] {404, 410}) {
      for (String code : new String[] {"", "EntryNotFound"}) {
        server.rule = refusalOfWeights("front", status, code);
        assertThatThrownBy(() -> open(SPEC))
            .isInstanceOf(HubException.class)
            .hasMessage(
                "hf:owner/name: %s has no model.safetensors (HTTP %d), though the hub lists this file: the model is there. Try again later, or name another weights file of it, hf:owner/name:FILE",
                Addresses.host(server.endpoint()), status);
      }
    }
    server.rule = refusalOfWeights("front", 403, "");
    assertThatThrownBy(() -> open(SPEC))
        .hasMessageContaining("refuses model.safetensors (HTTP 403), though the hub lists")
        .hasMessageContaining(". Set HF_TOKEN to a token that may read it, try again later, or");
    assertThatThrownBy(() -> open(withToken("hf_secret"), SPEC, Tables.INPUT))
        .hasMessageContaining("refuses model.safetensors (HTTP 403), though the hub lists")
        .hasMessageContaining(". Check that the token in HF_TOKEN may read it, try again later");
  }

  @Test
  void saysWhichFileTheHostOfLargeFilesDoesNotHave() {
    serveModel();
    for (int status : new int[] {403, 404}) {
      server.rule = refusalOfWeights("store", status, "");
      assertThatThrownBy(() -> open(SPEC))
          .isInstanceOf(HubException.class)
          .hasMessageContaining(
              "%s %s model.safetensors (HTTP %d), though the hub lists this file: the model is there. Try again later",
              Addresses.host(server.storeAddress()), status == 404 ? "has no" : "refuses", status);
    }
  }

  @Test
  void doesNotSayThatAModelIsThereWhichOnlyTheCacheKnows() throws IOException {
    serveModel();
    String commit = SPEC + "@" + FakeHub.COMMIT;
    inspect(commit);
    server.rule = refusalOfWeights("front", 404, "");
    assertThatThrownBy(() -> open(commit))
        .isInstanceOf(HubException.class)
        .hasMessage(
            "%s: %s has no model.safetensors (HTTP 404), which the list of the model's files in the cache names; the model may have changed since. See what it has now at %s/owner/name",
            commit, Addresses.host(server.endpoint()), server.endpoint());
    server.rule = refusalOfWeights("front", 401, "RepoNotFound");
    assertThatThrownBy(() -> open(commit)).hasMessageContaining("shows no such model (HTTP 401)");
  }

  @Test
  void saysThatAModelIsGatedWhoseListIsShown() {
    serveModel();
    server.rule = refusalOfWeights("front", 401, "GatedRepo");
    assertThatThrownBy(() -> open(SPEC)).hasMessageContaining("this model is gated");
  }

  @Test
  void asksForANewAddressWhenTheOldOneHasRunOut() throws IOException {
    serveModel();
    AtomicInteger refused = new AtomicInteger();
    server.rule =
        (host, exchange) -> {
          if (isTable(host, exchange) && refused.getAndIncrement() == 0) {
            FakeHub.send(exchange, 403, "expired");
            return true;
          }
          return false;
        };
    assertOpens();
    assertThat(server.asked("front").stream().filter(r -> r.path().endsWith("model.safetensors")))
        .hasSizeGreaterThan(1);
  }

  @Test
  void doesNotFollowARedirectToAnUnprotectedHost() {
    server.rule =
        (_, exchange) -> {
          exchange
              .getResponseHeaders()
              .set("Location", "http://203.0.113.1/model?signature=secret");
          exchange.sendResponseHeaders(302, -1);
          return true;
        };
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(HubException.class)
        .hasMessageContaining("redirects to http://203.0.113.1/model, which is not https");
  }

  @Test
  void doesNotRedirectForEver() {
    server.rule =
        (_, exchange) -> {
          exchange.getResponseHeaders().set("Location", "/again");
          exchange.sendResponseHeaders(302, -1);
          return true;
        };
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(HubException.class)
        .hasMessageContaining("redirects more than 10 times");
  }

  @Test
  void namesARedirectToSomethingWithoutAHost() {
    for (String[] target :
        new String[][] {{"file:///etc/", "file:///etc/"}, {"data:x", "data:…"}}) {
      server.rule =
          (_, exchange) -> {
            exchange.getResponseHeaders().set("Location", target[0]);
            exchange.sendResponseHeaders(302, -1);
            return true;
          };
      assertThatThrownBy(() -> open(SPEC))
          .isInstanceOf(HubException.class)
          .hasMessageContaining("redirects to " + target[1] + ", which is not https");
    }
  }
}
