package dev.rowan.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.Proxy;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RemoteSpecTest {
  private static final URI HUB = URI.create("https://huggingface.co");

  private static RemoteSpec parse(String text) {
    return RemoteSpec.parse(text, HUB);
  }

  @Test
  void readsOwnerNameRevisionAndFile() {
    assertThat(parse("hf:openai-community/gpt2"))
        .isEqualTo(new HubSpec("openai-community/gpt2", Optional.empty(), Optional.empty()));
    assertThat(parse("hf:a/b@refs/pr/1:x/model.safetensors"))
        .isEqualTo(
            new HubSpec("a/b", Optional.of("refs/pr/1"), Optional.of("x/model.safetensors")));
  }

  @Test
  void writesWhatItReads() {
    for (String text : new String[] {"hf:a/b", "hf:a/b@v1", "hf:a/b:c.gguf", "hf:a/b@v1:c.gguf"}) {
      assertThat(parse(text).text()).isEqualTo(text);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hf:",
        "hf:/b",
        "hf:a/",
        "hf:a/b/c",
        "hf:../b",
        "hf:a/..",
        "hf:a b/c",
        "hf:a/b@",
        "hf:a/b@../x",
        "hf:a/b:",
        "hf:a/b:../x",
        "hf:a/b:/etc/passwd",
        "hf:a/b:x\\y",
        "hf:.a/b",
        "https://",
        "https://example.org",
        "https://example.org/folder/",
        "http://example.org/x",
        "https:/x"
      })
  void refusesWhatNamesNoModel(String text) {
    assertThatThrownBy(() -> parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void takesThePagesOfTheHubForTheirModels() {
    assertThat(parse("https://huggingface.co/a/b").text()).isEqualTo("hf:a/b");
    assertThat(parse("https://huggingface.co/a/b/tree/v1").text()).isEqualTo("hf:a/b@v1");
    assertThat(parse("https://huggingface.co/a/b/resolve/main/x.safetensors").text())
        .isEqualTo("hf:a/b@main:x.safetensors");
  }

  @Test
  void hidesTheQueryOfAnAddress() {
    assertThat(parse("https://user:word@example.org/m.safetensors?signature=secret").toString())
        .isEqualTo("https://example.org/m.safetensors");
  }

  @Test
  void tellsRemoteNamesFromPaths() {
    assertThat(RemoteSpec.isRemote("hf:a/b")).isTrue();
    assertThat(RemoteSpec.isRemote("https://example.org/x")).isTrue();
    assertThat(RemoteSpec.isRemote("models/hf")).isFalse();
    assertThat(RemoteSpec.isRemote("C:\\models")).isFalse();
  }

  @Test
  void readsSettingsFromTheEnvironment() {
    HubSettings settings =
        HubSettings.of(
            Map.of(
                "HF_ENDPOINT", "https://mirror.example.org/",
                "HF_TOKEN", " hf_x\n",
                "HF_HUB_OFFLINE", "1",
                "HF_HOME", "/data/hf",
                "ROWAN_CACHE", "/data/rowan"));
    assertThat(settings.endpoint()).hasToString("https://mirror.example.org");
    assertThat(settings.token().orElseThrow().authorization()).isEqualTo("Bearer hf_x");
    assertThat(settings.offline()).isTrue();
    assertThat(settings.cache().toString()).isEqualTo("/data/rowan/hub");
    assertThat(settings.otherCaches().toString()).isEqualTo("[/data/hf/hub]");
  }

  @Test
  void doesNotRepeatATokenThatIsNone() {
    assertThatThrownBy(() -> HubSettings.of(Map.of("HF_TOKEN", "hf secret")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("HF_TOKEN holds blanks")
        .hasMessageNotContaining("secret");
  }

  @Test
  void refusesAnEndpointThatAnybodyCanRead() {
    assertThatThrownBy(() -> HubSettings.of(Map.of("HF_ENDPOINT", "http://example.org")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("HF_ENDPOINT is a http address; only https is used, and http to this machine");
  }

  @Test
  void asksTheProxyOfTheEnvironmentExceptForHostsItSpares() {
    var proxies =
        EnvironmentProxies.of(
            Map.of("HTTPS_PROXY", "http://127.0.0.1:3128", "no_proxy", "localhost,.example.org"));
    assertThat(proxies.select(URI.create("https://huggingface.co/x")))
        .first()
        .satisfies(proxy -> assertThat(proxy.address().toString()).endsWith("127.0.0.1:3128"));
    assertThat(proxies.select(URI.create("https://cdn.example.org/x")))
        .containsExactly(Proxy.NO_PROXY);
    assertThat(proxies.select(URI.create("https://notexample.org/x")))
        .first()
        .isNotEqualTo(Proxy.NO_PROXY);
  }

  @Test
  void refusesAProxyItCannotSpeakTo() {
    assertThatThrownBy(() -> EnvironmentProxies.of(Map.of("ALL_PROXY", "socks5://127.0.0.1:1080")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not spoken to by http");
  }
}
