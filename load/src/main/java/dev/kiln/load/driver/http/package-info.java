/** What is sent and how: calls and the values in them, sessions, connections over HTTP/1.1 and HTTP/2. */
@NullMarked
package dev.kiln.load.driver.http;

import org.jspecify.annotations.NullMarked;
