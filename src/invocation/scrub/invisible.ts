/**
 * Takes out of a text what nobody sees and a model reads all the same: controls, marks that turn the direction
 * of writing, blanks without width, tags and fillers.
 * Invariant: what a script or an emoji needs to be written stays: a joiner or a selector after what it is for.
 */
import type { Detector } from './detector';

/** All controls but those of lines, halves of characters, and what is not shown (Default_Ignorable_Code_Point). */
const INVISIBLE =
  /(?![\t\n\r\u200C\u200D])(?![\uFE00-\uFE0F])[\p{Cc}\p{Cs}\p{DI}\u2028\u2029\uFFF9-\uFFFB]/gu;
/** A joiner belongs after a letter of a script that joins, a mark that calls for one, or a part of an emoji. */
const STRAY_JOINER =
  /(?<![\p{M}\p{Extended_Pictographic}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Emoji_Modifier}])[\u200C\u200D]/gu;
/** Rows of selectors can carry bytes; one belongs to what it follows. */
const STRAY_SELECTOR = /(?<=[\uFE00-\uFE0F])[\uFE00-\uFE0F]/gu;

/** Takes invisible and bidirectional control characters out of a text. */
export const invisible: Detector = {
  patterns: [INVISIBLE, STRAY_JOINER, STRAY_SELECTOR],
  scrub: (text) => text.replace(INVISIBLE, '').replace(STRAY_JOINER, '').replace(STRAY_SELECTOR, ''),
};
