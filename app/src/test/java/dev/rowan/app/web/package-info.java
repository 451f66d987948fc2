@NullMarked
package dev.rowan.app.web;

import org.jspecify.annotations.NullMarked;
