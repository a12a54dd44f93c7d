export function unicodePattern(regExp: RegExp): string | undefined {
  return regExp.flags.replace(/[ug]/g, '') === '' ? regExp.source : undefined;
}
