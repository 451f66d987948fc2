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
}
