/** What people write: files decoded, tables, numbers, and words nearly right. */
@NullMarked
package dev.kiln.text;

import org.jspecify.annotations.NullMarked;
