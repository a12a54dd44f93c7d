/**
 * Tokens of what people work, talk, sell and pay with.
 * Invariant: each follows its vendor's documented format.
 */
import { type Kind, marked, named } from '../kind';

/** Kinds of tokens of business services. */
export const WORK_KINDS: readonly Kind[] = [
  marked(
    'Slack bot token',
    ['xo', 'xb-'],
    (r) => `${r.text('digits', 12)}-${r.text('digits', 13)}-${r.text('alphanumeric', 24)}`,
  ),
  marked(
    'Slack user token',
    ['xo', 'xp-'],
    (r) => `${r.text('digits', 12)}-${r.text('digits', 12)}-${r.text('digits', 13)}-${r.text('hex', 32)}`,
  ),
  marked(
    'Slack app token',
    ['xa', 'pp-1-'],
    (r) => `A${r.text('upperDigits', 10)}-${r.text('digits', 13)}-${r.text('hex', 64)}`,
  ),
  named(
    'Slack webhook',
    ['https://hooks.slack.com/services/{}'],
    (r) => `T${r.text('upperDigits', 9)}/B${r.text('upperDigits', 10)}/${r.text('alphanumeric', 24)}`,
  ),
  named(
    'Discord webhook',
    ['https://discord.com/api/webhooks/{}'],
    (r) => `${r.text('digits', 19)}/${r.text('base64url', 68)}`,
  ),
  {
    name: 'Discord bot token',
    make: (r) => {
      const core = `${Buffer.from(`1${r.text('digits', 17)}`).toString('base64url')}.G${r.text('base64url', 5)}.${r.text('base64url', 38)}`;
      return { text: core, core };
    },
  },
  {
    name: 'Telegram bot token',
    make: (r) => {
      const core = `AA${r.text('base64url', 33)}`;
      return { text: `${r.whole(100_000_000, 9_999_999_999)}:${core}`, core };
    },
  },
  marked('Notion token', ['nt', 'n_'], (r) => r.text('digits', 11) + r.text('alphanumeric', 35)),
  marked('Notion legacy token', ['sec', 'ret_'], (r) => r.text('alphanumeric', 43)),
  marked('Linear key', ['lin', '_api_'], (r) => r.text('alphanumeric', 40)),
  marked('Figma token', ['fig', 'd_'], (r) => r.text('base64url', 40)),
  marked('Postman key', ['PM', 'AK-'], (r) => `${r.text('hex', 24)}-${r.text('hex', 34)}`),
  marked('HubSpot token', ['pat', '-na1-'], (r) => r.uuid()),
  marked('Contentful token', ['CF', 'PAT-'], (r) => r.text('base64url', 43)),
  marked('Typeform token', ['tf', 'p_'], (r) => r.text('base64url', 59)),
  {
    name: 'Airtable token',
    make: (r) => {
      const core = r.text('hex', 64);
      return { text: `pat${r.text('alphanumeric', 14)}.${core}`, core };
    },
  },
  named(
    'Asana token',
    ['ASANA_ACCESS_TOKEN={}', 'Authorization: Bearer {}'],
    (r) => `2/${r.text('digits', 16)}/${r.text('digits', 16)}:${r.text('hex', 32)}`,
  ),
  named(
    'Okta token',
    ['Authorization: SSWS {}', 'the header was SSWS {} here'],
    (r) => `00${r.text('base64url', 40)}`,
  ),
  marked('Stripe secret key', ['sk', '_live_'], (r) => `51${r.text('alphanumeric', 97)}`),
  marked('Stripe short key', ['sk', '_test_'], (r) => r.text('alphanumeric', 24)),
  marked('Stripe restricted key', ['rk', '_live_'], (r) => r.text('alphanumeric', 24)),
  marked('Stripe webhook secret', ['wh', 'sec_'], (r) => r.text('alphanumeric', 32)),
  marked('Square token', ['sq0', 'atp-'], (r) => r.text('base64url', 22)),
  marked('Square access token', ['EA', 'AA'], (r) => r.text('base64url', 60)),
  marked('Shopify token', ['shp', 'at_'], (r) => r.text('hex', 32)),
  marked('Plaid token', ['access', '-sandbox-'], (r) => r.uuid()),
  marked('EasyPost key', ['EZ', 'AK'], (r) => r.text('alphanumeric', 54)),
  marked('Shippo token', ['shippo', '_live_'], (r) => r.text('hex', 40)),
  marked('Duffel token', ['duffel', '_test_'], (r) => r.text('base64url', 43)),
  marked('SendGrid key', ['S', 'G.'], (r) => `${r.text('base64url', 22)}.${r.text('base64url', 43)}`),
  marked('Mailgun key', ['ke', 'y-'], (r) => r.text('hex', 32)),
  {
    name: 'Mailchimp key',
    make: (r) => {
      const core = r.text('hex', 32);
      return { text: `${core}-us${r.whole(1, 21)}`, core };
    },
  },
  marked('Brevo key', ['xkey', 'sib-'], (r) => `${r.text('hex', 64)}-${r.text('alphanumeric', 16)}`),
  marked('Twilio key', ['S', 'K'], (r) => r.text('hex', 32)),
  named('Twilio auth token', ['TWILIO_AUTH_TOKEN={}', "twilio(sid, { authToken: '{}' })"], (r) =>
    r.text('hex', 32),
  ),
  marked('Resend key', ['r', 'e_'], (r) => `${r.text('alphanumeric', 8)}_${r.text('alphanumeric', 24)}`),
  marked('Meta access token', ['EA', 'AG'], (r) => r.text('alphanumeric', 180)),
  marked(
    'Mapbox secret token',
    ['sk', '.ey', 'J1Ijoi'],
    (r) => `${r.text('base64url', 60)}.${r.text('base64url', 22)}`,
  ),
  marked('Adafruit key', ['ai', 'o_'], (r) => r.text('alphanumeric', 28)),
];
