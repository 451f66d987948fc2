package dev.rowan.hub;

import java.net.URI;
import java.util.OptionalLong;

/**
 * Everything that asking for one model's files takes.
 *
 * @param model whose files
 * @param transport the connections
 * @param retries asks again
 * @param refusals words what servers refuse
 */
record Contact(RemoteSpec model, Transport transport, Retries retries, Refusals refusals) {

  static Contact of(RemoteSpec model, Transport transport, HubListener listener) {
    HubSettings settings = transport.settings();
    return new Contact(
        model,
        transport,
        new Retries(settings.patience(), listener, model.text()),
        new Refusals(settings, model));
  }

  RemoteFile file(String name, URI uri, OptionalLong size) {
    return file(name, uri, size, Refusals.About.MODEL);
  }

  /**
   * Returns a file that was heard of.
   *
   * @param about where from
   */
  RemoteFile file(String name, URI uri, OptionalLong size, Refusals.About about) {
    return new RemoteFile(this, new RemoteFile.Asked(name, uri, about), size);
  }
}
