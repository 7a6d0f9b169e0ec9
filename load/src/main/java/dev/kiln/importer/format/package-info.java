/** What a foreign format is made of: how a file is recognised, its lines and cells, and the loads and logs it becomes. */
@NullMarked
package dev.kiln.importer.format;

import org.jspecify.annotations.NullMarked;
