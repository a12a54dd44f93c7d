export function slowPattern(_source: string, _flags: string): string | undefined {
  return undefined;
}
