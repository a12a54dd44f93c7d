/**
 * What `toolcrib serve` says on standard error beside the log of the application.
 * Invariant: each is one line, with secrets masked.
 */
import type { Principal } from '../../contract/principal';
import { scrubText } from '../../invocation/scrub';
import type { OpenToolkit } from '../configuration';
import type { Io } from '../io';
import { oneLine } from '../text';

/** The toolkit with a log of which entries of level info are also on standard error. */
export function talkative(toolkit: OpenToolkit, io: Io): OpenToolkit {
  const { registry, ledger, approvals, logger } = toolkit;
  return {
    registry,
    ledger,
    approvals,
    invoke: toolkit.invoke.bind(toolkit),
    close: () => toolkit.close(),
    logger: {
      debug: (fields, message) => logger.debug(fields, message),
      info: (fields, message = '') => {
        logger.info(fields, message);
        io.stderr(`${oneLine(scrubText(`info: ${message} ${JSON.stringify(fields)}`))}\n`);
      },
      warn: (fields, message) => logger.warn(fields, message),
      error: (fields, message) => logger.error(fields, message),
    },
  };
}

/** Names the scopes that are granted and open no tool: as a rule they are misspelt. */
export function warnOfUnneeded(
  principal: Principal | undefined,
  registry: OpenToolkit['registry'],
  io: Io,
): void {
  if (principal === undefined) return;
  const needing = registry.list().filter(({ scopes }) => scopes !== undefined && scopes.length > 0);
  const missingWith = (scopes: readonly string[]) =>
    needing.flatMap((spec) => {
      const decision = registry.authorise(spec, { ...principal, scopes });
      return decision.allowed ? [] : decision.missing;
    }).length;
  const missing = missingWith([]);
  const unneeded = principal.scopes.filter((scope) => missingWith([scope]) === missing);
  if (unneeded.length === 0) return;
  io.stderr(oneLine(`warning: no tool needs ${unneeded.join(', ')}; see toolcrib list`));
  io.stderr('\n');
}
