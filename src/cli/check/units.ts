/**
 * Which names of numbers measure money, time or size, and whether they say in what unit.
 * Invariant: a unit counts only at the end of the name, where a model reads it as one.
 */

interface Dimension {
  readonly measures: ReadonlySet<string>;
  readonly units: ReadonlySet<string>;
  /** What a name may end with, for the mend. */
  readonly suggestion: string;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

const DIMENSIONS: readonly Dimension[] = [
  {
    measures: words(
      'amount amounts balance balances budget cost costs discount discounts fee fees payment payments price ' +
        'prices refund refunds revenue salary subtotal sum sums tax taxes total totals wage wages',
    ),
    units: new Set([
      ...words('minor major cents pence micros nanos bps'),
      // ISO 4217, as the runtime knows it.
      ...Intl.supportedValuesOf('currency').map((currency) => currency.toLowerCase()),
    ]),
    suggestion: '_minor, _cents or _eur',
  },
  {
    measures: words(
      'age ages cooldown deadline delay delays duration durations elapsed expiry interval intervals latency ' +
        'lifetime period retention time timeout timeouts timestamp timestamps ttl uptime',
    ),
    units: words(
      'ns nanos us micros ms millis milliseconds s sec secs second seconds min mins minute minutes h hr hrs hour ' +
        'hours d day days night nights week weeks month months quarter quarters year years unix',
    ),
    suggestion: '_ms, _seconds or _days',
  },
  {
    measures: words(
      'altitude area bandwidth diameter distance distances height heights length lengths mass memory radius ' +
        'size sizes speed storage temperature temperatures volume volumes weight weights width widths',
    ),
    units: words(
      'bits bytes kb mb gb tb kib mib gib tib bps kbps mbps gbps chars characters words tokens lines rows ' +
        'pages items px pixels pt em rem mm cm m meter meters metre metres km in inches ft feet yd mi miles m2 ' +
        'km2 ha m3 ml cl l liters litres mg g gram grams kg kilograms t tonnes oz lb lbs c f k celsius ' +
        'fahrenheit kelvin kmh mph mps hz khz mhz ghz',
    ),
    suggestion: '_bytes, _kg or _cm',
  },
];

/** Ends of names that say that the number has no unit. */
const WITHOUT_UNIT = words(
  'category center class code count factor id index kind level number pct percent percentage rank rate ratio ' +
    'score tier type version',
);
/** Ends of names that may follow a unit. */
const QUALIFIERS = words('max limit from to avg default');
/** Measures that measure only at the end of a name: `total_pages` is a count. */
const ONLY_LAST = words('total totals sum sums');
/** Established names of counts. */
const COUNTS = /(?:^|_)(?:page|batch|sample)_(?:size|length)$/;

function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

function withoutQualifiers(name: readonly string[]): readonly string[] {
  const last = name.at(-1);
  return last !== undefined && name.length > 1 && QUALIFIERS.has(last)
    ? withoutQualifiers(name.slice(0, -1))
    : name;
}

/** The ends that the name of a measuring number could have; undefined when it needs none. */
export function missingUnit(name: string): string | undefined {
  const own = withoutQualifiers(wordsOf(name));
  const last = own.at(-1);
  if (last === undefined || WITHOUT_UNIT.has(last) || COUNTS.test(own.join('_'))) return undefined;
  const measured = DIMENSIONS.find(({ measures }) =>
    own.some((word) => measures.has(word) && (word === last || !ONLY_LAST.has(word))),
  );
  return measured === undefined || measured.units.has(last) ? undefined : measured.suggestion;
}
