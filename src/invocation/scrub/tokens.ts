/**
 * Tokens and keys that tell by their form what they are: schemes of HTTP, JSON Web Tokens, vendors' prefixes.
 * Invariant: hashes, UUIDs and other random texts without such a form are no secrets.
 */
import { type Detector, masking } from './detector';

const HAS_DIGIT = /\d/;
const isMixed = (text: string): boolean => HAS_DIGIT.test(text) || /[A-Z]/.test(text.slice(1));

/** A token right after one of these stands alone: no letter, digit or mark of a longer word before it. */
const START = '(?<![A-Za-z0-9_-])';
const START_AFTER_MARK = '(?<![A-Za-z0-9])';

/** Prefixes, and how many characters of the alphabet follow at least. */
const PREFIXES: readonly (readonly [alphabet: string, atLeast: number, prefixes: string])[] = [
  // Models: OpenAI, Anthropic, OpenRouter, Groq, xAI, Perplexity, Hugging Face, Replicate, NVIDIA, and others.
  [
    'A-Za-z0-9_-',
    16,
    'gsk_|xai-|pplx-|nvapi-|tvly-|jina_|e2b_|csk-|fw_|lsv2_(?:pt|sk)_|ls__|pcsk_|fc-|voyage-',
  ],
  ['A-Za-z0-9', 20, 'hf_|api_org_|r8_'],
  // Code and packages: GitHub, GitLab, npm, PyPI, Docker, RubyGems, NuGet, Clojars, crates, Bitbucket, Atlassian.
  ['A-Za-z0-9_', 20, 'gh[pousr]_|github_pat_|npm_|CLOJARS_|rubygems_|sgp_|sgpat_'],
  ['A-Za-z0-9_.-', 16, 'gl(?:pat|rt|dt|ptt|ft|cbt|soat|oas|imt|agent|feed)-|gloas-|_gitlab_session='],
  ['A-Za-z0-9_=-', 24, 'pypi-|AT(?:ATT|CTT|BB|AB)[A-Za-z0-9]|AKCp[0-9]|cmVmdGtu'],
  ['a-z0-9', 40, 'oy2|cio(?=[A-Za-z0-9]{32})'],
  // Clouds: Amazon, Google, Alibaba, Tencent, DigitalOcean, Fly, Render, Pulumi, Databricks, PlanetScale, Neon.
  ['A-Z0-9', 12, 'A(?:KIA|SIA|BIA|CCA)(?=[A-Z0-9]{12})'],
  ['A-Za-z0-9_-', 20, 'AIza|GOCSPX-|ya29\\.|1//0|AQVN|t1\\.9euel|y[0-3]_Ag'],
  ['A-Za-z0-9', 16, 'LTAI|AKID'],
  ['a-f0-9', 32, 'do[opr]_v1_|dapi|pul-|NRAA-|rnd_(?=[a-f0-9])'],
  [
    'A-Za-z0-9_=.-',
    20,
    'pscale_(?:tkn|oauth|pw|id)_|napi_|rnd_|sbp_|sb_secret_|nfp_|vc[aip]_|dp\\.(?:pt|st|ct|sa|scim|audit)\\.',
  ],
  [
    'A-Za-z0-9+/=_,-',
    20,
    'fo1_|fm[12][ar]?_|FlyV1 f|hv[sbr]\\.|v1\\.0-|AGE-SECRET-KEY-1|tskey-[a-z]{2,10}-|ABSK',
  ],
  // Work and talk: Slack, Notion, Linear, Figma, Airtable, Asana, Postman, HubSpot, Contentful, Typeform.
  ['A-Za-z0-9_.-', 10, 'xox[abcdeoprs](?:\\.xox[bp])?-|xapp-'],
  [
    'A-Za-z0-9_.-',
    20,
    'ntn_|secret_|lin_(?:api|oauth)_|fig[dour]_|PMAK-|pat-(?:na|eu)\\d-|CFPAT-|tfp_|rdme_|dt0[a-z]\\d\\d\\.',
  ],
  ['A-Za-z0-9.', 40, 'pat(?=[A-Za-z0-9]{14}\\.)'],
  // Watching: Sentry, New Relic, Grafana, PostHog, Honeycomb, Prefect, Dynatrace.
  [
    'A-Za-z0-9_=+/-',
    20,
    'sntry[su]_|NRAK-|NRII-|NRJS-|NRRA-|gl(?:sa|c)_|ph[csxr]_|hc[abn][a-z]{2}_|pn[ub]_|eyJrIjoi|atlasv1\\.',
  ],
  // Money and shops: Stripe, Square, Shopify, Plaid, PayPal, Adyen, EasyPost, Shippo, Duffel, Lob.
  [
    'A-Za-z0-9_',
    10,
    '(?:sk|pk|rk|ek)_(?:live|test|prod)_|whsec_|(?:live|test)_(?:sec|pub|key)?_?(?=[a-f0-9]{32})',
  ],
  [
    'A-Za-z0-9_-',
    20,
    'sq0[a-z]{3}-|EAAA|EZ[AT]K|shippo_(?:live|test)_|duffel_(?:live|test)_|shp(?:at|ca|pa|ss|tka)_|AQE(?=[a-z])',
  ],
  ['a-f0-9-', 30, 'access-(?:sandbox|development|production)-'],
  // Mail and messages: SendGrid, Mailgun, Mailchimp, Brevo, Twilio, Resend, Meta.
  ['A-Za-z0-9_.-', 20, 'SG\\.|xkeysib-|xsmtpsib-|re_(?=[A-Za-z0-9]{8}_)|EAAC|EAAG|md-'],
  ['a-f0-9', 32, 'SK|key-'],
  // Others: Adafruit, Frame.io, Scalingo, Infracost, Sourcegraph, Mapbox.
  ['A-Za-z0-9_-', 20, 'dckr_(?:pat|oat)_|aio_|fio-u-|tk-us-|ico-|s-s4t2(?:ud|af)-|cfut_|cfat_|ops_eyJ'],
  ['A-Za-z0-9_.-', 20, '[psk]{1,2}\\.eyJ'],
];

const prefixed: readonly Detector[] = PREFIXES.map(([alphabet, atLeast, prefixes]) =>
  masking(new RegExp(`${START_AFTER_MARK}(?:${prefixes})[${alphabet}]{${atLeast},}`, 'g'), isMixed),
);

/** Masks credentials by their form. */
export const tokens: readonly Detector[] = [
  // Schemes of HTTP (RFC 9110, section 11) with what is no word: `Bearer t0k`, and not "basic information".
  masking(
    /(\b(?:bearer|basic|token|apikey|api-key|ssws|negotiate|ntlm|genie-?key|bot)\s{1,8})[A-Za-z0-9._~+/=:@-]{6,}/gi,
    (secret) =>
      isMixed(secret) &&
      !/^(?:[A-Z]?[a-z]+|[A-Z]+)(?:[-._/:](?:[A-Z]?[a-z]+|[A-Z]+))*[.:]?$|^\d[\d.,:-]*$/.test(secret),
  ),
  // A name and a password in Base64, as Docker and npm keep them.
  masking(/(\b_?auth\\?["']?\s{0,4}[=:]\s{0,4}\\?["']?)[A-Za-z0-9+/]{8,}={0,2}/gi, (secret) =>
    /^[\x21-\x7E]+:[\x20-\x7E]+$/.test(Buffer.from(secret, 'base64').toString('latin1')),
  ),
  // JSON Web Tokens and encrypted ones (RFC 7519): parts in base64url, of which the first starts like an object.
  masking(new RegExp(`${START}eyJ[A-Za-z0-9_.-]{8,}`, 'g'), (secret) => secret.includes('.')),
  // OpenAI and those who took over its prefix: a word, or more than one, and a long random part.
  masking(
    new RegExp(`${START_AFTER_MARK}(?:sk|pk|rk)[_-][A-Za-z0-9_-]{12,}`, 'g'),
    (secret) => isMixed(secret.slice(3)) && /[A-Z]|[a-z]\d|\d[a-z]/.test(secret.slice(3)),
  ),
  ...prefixed,
  // Telegram's bots, Discord's, Azure's applications and its storage, Firebase's messages, Mailchimp, Asana.
  masking(new RegExp(`${START}\\d{8,10}:AA[A-Za-z0-9_-]{30,}`, 'g')),
  masking(
    new RegExp(`${START}[MNO][A-Za-z0-9_-]{22,30}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{25,}`, 'g'),
    isMixed,
  ),
  masking(/(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{28,}/g),
  masking(new RegExp(`${START}AAAA[A-Za-z0-9_-]{7}:[A-Za-z0-9_-]{60,}`, 'g')),
  masking(/(?<![A-Za-z0-9])[a-f0-9]{32}-us\d{1,2}(?![A-Za-z0-9])/g),
  masking(/(?<![\w./-])[012]\/\d{10,17}(?:\/\d{10,17})?:[a-f0-9]{32,}/g),
  // Azure's keys of 64 and 32 bytes in base64, which carry a mark of their service (AzCa, ASt, ACDb and others).
  masking(
    /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{30,80}(?:\+ASt|\+ARm|AzCa|AzFu|AzSe|ACDb|AIoT|AEhA)[A-Za-z0-9+/]{5,40}={0,2}/g,
  ),
  // Amazon's secret access key beside its id; the scopes of signature version 4.
  masking(/(\bCredential=)[A-Za-z0-9]{16,40}(?=\/\d{8}\/)/g),
];
