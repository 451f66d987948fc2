/**
 * The explorer: a web server on this machine whose pages show what the command line says, on the
 * same numbers.
 *
 * <p>Read {@link dev.rowan.app.web.Explorer} first, then {@link dev.rowan.app.web.Api}: each
 * question is an {@link dev.rowan.app.web.Endpoint} that turns checked parameters into a record,
 * and the record's components are the JSON members. {@link dev.rowan.app.web.Gate} decides who may
 * ask. The pages are TypeScript, in the folder {@code web}, and come along in the jar.
 */
@NullMarked
package dev.rowan.app.web;

import org.jspecify.annotations.NullMarked;
