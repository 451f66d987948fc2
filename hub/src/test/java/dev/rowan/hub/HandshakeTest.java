package dev.rowan.hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

/** The exceptions are as JDK 25 throws them at servers with such certificates. */
class HandshakeTest {
  private static SSLException thrown(String message, Exception cause) {
    SSLHandshakeException e = new SSLHandshakeException(message);
    e.initCause(cause);
    return e;
  }

  private static String said(SSLException e) {
    assertThat(Handshake.isFinal(e)).isTrue();
    return String.valueOf(Handshake.refusal("example.org", e).getMessage());
  }

  @Test
  void namesNoClassesWhereACertificateIsNotTrusted() {
    String builder = "unable to find valid certification path to requested target";
    String inner = "sun.security.provider.certpath.SunCertPathBuilderException: " + builder;
    SSLException e =
        thrown(
            "(certificate_unknown) PKIX path building failed: " + inner,
            new CertificateException(
                "PKIX path building failed: " + inner, new CertPathBuilderException(builder)));
    assertThat(said(e))
        .startsWith(
            "example.org does not prove who it is: its certificate is signed by itself or by nobody whom Java trusts; if a proxy")
        .doesNotContain("sun.");
  }

  @Test
  void saysThatACertificateHasRunOutOrIsForAnotherName() {
    assertThat(
            said(
                thrown(
                    "PKIX path validation failed: java.security.cert.CertPathValidatorException: validity check failed",
                    new CertificateException(
                        "validity check failed",
                        new CertificateExpiredException(
                            "NotAfter: Sun Apr 12 23:59:59 UTC 2015")))))
        .contains("who it is: its certificate has run out;");
    assertThat(
            said(
                thrown(
                    "No subject alternative DNS name matching example.org found.",
                    new CertificateException(
                        "No subject alternative DNS name matching example.org found."))))
        .contains("who it is: its certificate is for another name;");
  }

  @Test
  void leavesWhatTheProtocolSays() {
    assertThat(said(new SSLHandshakeException("Received fatal alert: handshake_failure")))
        .contains("who it is: Received fatal alert: handshake_failure;");
    assertThat(said(new SSLHandshakeException("java.io.EOFException: cut off")))
        .contains("who it is: cut off;");
  }

  @Test
  void aBrokenConnectionMayBeTriedAgain() {
    assertThat(Handshake.isFinal(new SSLException("Connection reset"))).isFalse();
  }
}
