/**
 * Which names of numbers lack a unit.
 * Invariant: a name that measures nothing never lacks one.
 */
import { missingUnit } from '../../../src/cli/check/units';

it.each([
  ['amount', '_minor'],
  ['unit_price', '_minor'],
  ['total', '_minor'],
  ['price_per_day', '_minor'],
  ['fees', '_minor'],
  ['balanceAfter', '_minor'],
  ['timeout', '_ms'],
  ['retry_delay', '_ms'],
  ['maxAge', '_ms'],
  ['ttl', '_ms'],
  ['interval_max', '_ms'],
  ['min_timeout', '_ms'],
  ['size', '_bytes'],
  ['fileSize', '_bytes'],
  ['parcel_weight', '_bytes'],
  ['length', '_bytes'],
  ['distance', '_bytes'],
])('%s lacks one', (name, suggestion) => {
  expect(missingUnit(name)).toContain(suggestion);
});

it.each([
  'amount_minor',
  'amountCents',
  'price_eur',
  'price_USD',
  'price_eur_max',
  'tax_pct',
  'discount_percent',
  'timeout_ms',
  'timeoutMs',
  'timeout_min',
  'ttl_seconds',
  'age_years',
  'delay_days',
  'size_bytes',
  'weight_kg',
  'length_cm',
  'max_length_chars',
])('%s has one', (name) => {
  expect(missingUnit(name)).toBeUndefined();
});

it.each([
  'total_count',
  'total_pages',
  'page',
  'page_size',
  'pageSize',
  'payment_id',
  'stage',
  'average',
  'quantity',
  'limit',
  'max',
  '_',
  '数',
])('%s needs none', (name) => {
  expect(missingUnit(name)).toBeUndefined();
});
