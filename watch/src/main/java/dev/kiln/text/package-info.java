/** What people write: files decoded, tables, numbers, and words nearly right; and numbers as people read them. */
@NullMarked
package dev.kiln.text;

import org.jspecify.annotations.NullMarked;
