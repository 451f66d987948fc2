package dev.rowan.app.cli;

import dev.rowan.formats.file.NewFile;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Gives a long job the chance to save its work: the first Ctrl-C or SIGTERM asks it to stop, a
 * second one ends the program at once.
 *
 * <p>Java has no other way to hear of signals than {@code sun.misc.Signal}, which every JDK exports
 * and javac warns of whatever one does; so it is called by its name. Where it is not there, signals
 * do what they always did.
 */
final class Interrupts implements AutoCloseable {
  private final Map<Object, Object> before = new LinkedHashMap<>(); // signal → its old handler
  private final Runnable stop;
  private int code; // of the first signal; 0 before

  private Interrupts(Runnable stop) {
    this.stop = stop;
  }

  /** Listens until closed. */
  static Interrupts asking(Runnable stop) {
    Interrupts interrupts = new Interrupts(stop);
    try {
      Class<?> signalType = Class.forName("sun.misc.Signal");
      Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
      Constructor<?> signal = signalType.getConstructor(String.class);
      Method handle = signalType.getMethod("handle", signalType, handlerType);
      Object handler =
          Proxy.newProxyInstance(
              Interrupts.class.getClassLoader(),
              new Class<?>[] {handlerType},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "handle" -> {
                      interrupts.heard(String.valueOf(arguments[0]));
                      yield null;
                    }
                    case "equals" ->
                        System.identityHashCode(proxy) == System.identityHashCode(arguments[0]);
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> "Rowan's handler";
                  });
      for (String name : new String[] {"INT", "TERM"}) {
        Object which = signal.newInstance(name);
        Object old = handle.invoke(null, which, handler);
        interrupts.before.put(which, old);
      }
    } catch (ReflectiveOperationException e) {
      System.getLogger(Interrupts.class.getName())
          .log(System.Logger.Level.DEBUG, "signals end the program at once", e);
    }
    return interrupts;
  }

  /** Hears a signal by its name. */
  synchronized void heard(String signal) {
    int ending = signal.equals("SIGTERM") ? Failures.TERMINATED : Failures.INTERRUPTED;
    if (code != 0) {
      NewFile.abandonAll();
      Runtime.getRuntime().halt(ending);
    }
    code = ending;
    stop.run();
  }

  /** Returns what to throw when the job has stopped: it ends as the signal would have ended it. */
  synchronized Stopped ending(String message) {
    return new Stopped(message, code == 0 ? Failures.INTERRUPTED : code);
  }

  @Override
  public void close() {
    before.forEach((signal, old) -> {
      try {
        Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
        signal
            .getClass()
            .getMethod("handle", signal.getClass(), handlerType)
            .invoke(null, signal, old);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("a signal handler could not be put back", e);
      }
    });
  }
}
