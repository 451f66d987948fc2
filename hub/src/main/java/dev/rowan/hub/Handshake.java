package dev.rowan.hub;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

/** Says why no encrypted connection came about, in words of people who are not Java programmers. */
final class Handshake {
  private Handshake() {}

  /** Returns whether asking again is of no use. */
  static boolean isFinal(SSLException e) {
    return e instanceof SSLHandshakeException || isPlain(e);
  }

  /** The first bytes of the answer were no record of TLS (JDK, SSLSocketInputRecord). */
  private static boolean isPlain(SSLException e) {
    return String.valueOf(e.getMessage()).contains("nrecognized SSL message");
  }

  /** Returns what to tell. */
  static HubException refusal(String host, SSLException e) {
    return new HubException(
        isPlain(e)
            ? "%s speaks plain http, but the address says https; name its https port, or write http:// if it is this machine (others are asked by https only)"
                .formatted(host)
            : "%s does not prove who it is: %s; if a proxy of your company stands between, add its certificate to the trust store of Java"
                .formatted(host, why(e)),
        e);
  }

  private static String why(SSLException e) {
    Throwable at = e;
    while (at != null) {
      String message = String.valueOf(at.getMessage());
      switch (at) {
        case CertificateExpiredException _ -> {
          return "its certificate has run out";
        }
        case CertificateNotYetValidException _ -> {
          return "its certificate is not valid yet, if the clock of this machine is right";
        }
        case CertPathBuilderException _ -> {
          return "its certificate is signed by itself or by nobody whom Java trusts";
        }
        default -> {
          if (message.startsWith("No subject alternative") || message.startsWith("No name")) {
            return "its certificate is for another name";
          }
        }
      }
      at = at.getCause();
    }
    // what is left is of the protocol: "Received fatal alert: handshake_failure"
    return String.valueOf(e.getMessage()).replaceAll("\\b[a-z]\\w*(\\.\\w+)+: ", "");
  }
}
