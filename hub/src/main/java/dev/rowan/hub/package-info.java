/**
 * Remote models, of which only the table is fetched.
 *
 * <p>Read {@link dev.rowan.hub.Hub} first: it opens {@code hf:owner/name} and {@code https://…}.
 * What it fetches is kept in the cache that {@link dev.rowan.hub.HubCache} lists and prunes; {@link
 * dev.rowan.hub.HubSettings} says where that is, and whom to ask.
 */
@NullMarked
package dev.rowan.hub;

import org.jspecify.annotations.NullMarked;
