/**
 * The pages in this package need nothing else: text and tables without scripts, charts with the scripts that they
 * carry. An analysed result comes in; one self-contained file goes out. {@link HtmlReport} is the report of an
 * experiment. Its sections are {@link HtmlFindings}, {@link HtmlRuns}, {@link HtmlCpus}, {@link
 * HtmlComparison} and {@link HtmlHow}. Its {@link HtmlTimeline} has a {@link Panel} for each chart, with {@link
 * Captions} in words, and {@link ChartData} hands the numbers to the script. The other pages are {@link HtmlIndex},
 * {@link HtmlLive} and {@link FlameGraph}; they share a {@link Frame}, as the pages of the products do. Pictures without a script are drawn with {@link SvgAxes}. {@link Html} escapes every text that comes
 * from outside.
 */
@NullMarked
package dev.kiln.report.html;

import org.jspecify.annotations.NullMarked;
