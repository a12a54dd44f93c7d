/**
 * The tools of the sample, for `npm run toolcrib`.
 * Invariant: it opens what the sample itself opens; the script has compiled it by then.
 */
const { openApp } = require('./build/samples/app.js');

module.exports = () => openApp();
