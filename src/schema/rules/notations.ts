/**
 * The rules on notations for colours, places and locales.
 * Invariant: both cases of a letter stand in a class wherever class-validator ignores case.
 */
import {
  IsHexColor,
  IsHSL,
  IsJSON,
  IsLatitude,
  IsLatLong,
  IsLocale,
  IsLongitude,
  IsRgbColor,
} from 'class-validator';
import { type Contribution, exact, exactPattern, patternRule, type Rule, widerPattern } from './rule';

const HEX = '[0-9a-fA-F]';
const BYTE = '(?:[1-9]?\\d|1\\d\\d|2[0-4]\\d|25[0-5])';
const PERCENT = '(?:[1-9]?\\d|100)%';
const ALPHA = '(?:0?\\.\\d\\d?|1(?:\\.0)?|0(?:\\.0)?)';

function contributeRgb([percent]: readonly unknown[]): Contribution {
  const bytes = `(?:${BYTE},){2}${BYTE}`;
  const isPlain = percent !== undefined && !percent;
  const channels = isPlain ? bytes : `(?:${bytes}|(?:${PERCENT},){2}${PERCENT})`;
  return exactPattern(`^(?:rgb\\(${channels}|rgba\\(${channels},${ALPHA})\\)$`);
}

const NUMBER = '[+-]?(?:\\d+(?:\\.\\d+)?|\\.\\d+)(?:[eE][+-]?\\d+)?';
const UNIT = '(?:[dD][eE][gG]|[gG]?[rR][aA][dD]|[tT][uU][rR][nN])';
const HSL =
  `^\\s*[hH][sS][lL][aA]?\\(\\s*${NUMBER}${UNIT}?(?:(?:\\s*,\\s*${NUMBER}%){2}(?:\\s*,\\s*${NUMBER}%?)?` +
  `|(?:\\s+${NUMBER}%){2}(?:\\s*/\\s+${NUMBER}%?)?)\\s*\\)\\s*$`;

const LATITUDE = '[+-]?(?:90(?:\\.0+)?|[1-8]?\\d(?:\\.\\d+)?)';
const LONGITUDE = '\\s?[+-]?(?:180(?:\\.0+)?|(?:1[0-7]\\d|\\d{1,2})(?:\\.\\d+)?)';
/** class-validator does not look behind a second comma. */
const LAT_LONG = `(?:${LATITUDE},${LONGITUDE}|\\(${LATITUDE},${LONGITUDE}\\))(?:,|$)`;

/** A coordinate is a number or a text; class-validator reads a number's text, which below 1e-6 has an exponent. */
function coordinate(limit: number, pattern: string): Contribution {
  const small = { exclusiveMinimum: -1e-6, exclusiveMaximum: 1e-6, not: { enum: [0] } };
  return exact({
    type: ['number', 'string'],
    anyOf: [
      { type: 'number', minimum: -limit, maximum: limit, not: small },
      { type: 'string', pattern },
    ],
  });
}

const PLACES = ['90', '-90.0', '90.1', '+1.5', '1.', '180', '180.5', '1e-7', '(1', '1,2', '1,2,x', '1,200'];
const DEGREES = [90, -90, 90.5, 180, -180.5, 1e-7, -1e-6, 1e-6, 0.5, -0];

/** The rules on notations for colours, places and locales. */
export const NOTATION_RULES: readonly Rule[] = [
  patternRule(IsHexColor(), `^#?(?:${HEX}{3,4}|${HEX}{6}|${HEX}{8})$`, [
    '#fff',
    'FFFF',
    '#ffff0',
    '#FFFFFF',
    '#',
  ]),
  {
    decorator: IsRgbColor(),
    near: [
      'rgb(0,0,255)',
      'rgb(0, 0, 0)',
      'rgb(1%,2%,100%)',
      'rgba(0,0,0,.5)',
      'rgba(0,0,0,2)',
      'rgb(01,0,0)',
      'rgb(256,0,0)',
    ],
    contribute: contributeRgb,
  },
  patternRule(IsHSL(), HSL, [
    'hsl(1,2%,3%)',
    ' HSLA( 1.5e3DEG , 2% ,3%, .5 ) ',
    'hsl(1 2% 3% / 50%)',
    'hsl(1 2% 3%/.5)',
    'hsl(1,2,3)',
    'hsl (1,2%,3%)',
    'hsl(1rad 2%3%)',
  ]),
  patternRule(IsLatLong(), `^${LAT_LONG}`, [...PLACES, '(1,2)', '(1,2', '1,2)', '(1,2),x', '1, 2', '1,  2']),
  {
    decorator: IsLatitude(),
    near: [...PLACES, ...DEGREES],
    contribute: () => coordinate(90, `^(?:${LATITUDE}$|${LAT_LONG})`),
  },
  {
    decorator: IsLongitude(),
    near: [...PLACES, ...DEGREES, ' 1', '1)'],
    contribute: () => coordinate(180, `^${LONGITUDE}(?:,|$)`),
  },
  {
    decorator: IsLocale(),
    near: [
      'de',
      'de_DE',
      'zh-cmn-Hans-CN',
      'x-a',
      'i-klingon',
      'I-klingon',
      'de-1996-u-co-phonebk',
      'd',
      'de-1--a',
    ],
    // A variant may read like an extension, so the whole form is a pattern that backtracks.
    contribute: () => widerPattern('^[A-Za-z0-9][A-Za-z0-9_-]+$'),
  },
  {
    decorator: IsJSON(),
    near: ['{}', ' [1]', '1', 'null', '"a"', '{', '\u00a0{}'],
    contribute: () => widerPattern('^[ \\t\\n\\r]*[{\\[]'),
  },
];
