/**
 * What the status of an HTTP response means, also of a thrown `Response`, and of errors that carry a status.
 * Invariant: of 4xx only 429 is retryable; that nothing had started is believed of 4xx and of a 503 that names
 * its end.
 */
import { read, readObject } from './read';
import { retryAfterOf } from './retry-after';
import {
  conflict,
  hopeless,
  rateLimited,
  refusedArguments,
  timedOut,
  unavailable,
  type Verdict,
} from './verdict';

function isFailure(status: unknown): status is number {
  return typeof status === 'number' && Number.isInteger(status) && status >= 400 && status < 600;
}

/** `status` of a Response and of fetch-like clients, `statusCode` of undici and got, or those of `response`. */
function statusOf(thrown: object): number | undefined {
  const response = readObject(thrown, 'response');
  const holders = response === undefined ? [thrown] : [response, thrown];
  return holders.flatMap((one) => [read(one, 'status'), read(one, 'statusCode')]).find(isFailure);
}

function ofClientError(status: number): Verdict {
  switch (status) {
    case 401:
    case 407:
      return hopeless(`A service that the tool uses did not accept the tool's own credentials (${status}).`);
    case 403:
      return hopeless('A service that the tool uses refused access to what was asked for (403).');
    case 404:
    case 410:
      return refusedArguments(
        `A service that the tool uses has nothing by what the arguments name (${status}).`,
      );
    case 409:
    case 412:
      return conflict(
        `What was asked for conflicts with what a service that the tool uses holds (${status}).`,
      );
    case 400:
    case 413:
    case 422:
      return refusedArguments(`A service that the tool uses refused what the arguments ask for (${status}).`);
    case 429:
      return rateLimited('A service that the tool uses takes no more requests for now (429).');
    default:
      return hopeless(`A service that the tool uses refused the request (${status}).`);
  }
}

function ofServerError(status: number, hasWait: boolean): Verdict {
  switch (status) {
    case 501:
    case 505:
      return hopeless(`A service that the tool uses cannot do what it was asked for (${status}).`);
    case 503:
      // Gateways answer a bare 503 also when a connection broke halfway; a service that says until when has seen it coming.
      return unavailable('A service that the tool uses is not available (503).', !hasWait);
    case 504:
      return timedOut('A service that the tool uses was not answered in time by its own (504).', true);
    default:
      return unavailable(`A service that the tool uses failed (${status}).`, true);
  }
}

/** Judges something thrown by its status, where it has one. */
export function ofHttp(thrown: object): Verdict | undefined {
  const status = statusOf(thrown);
  if (status === undefined) return undefined;
  const retryAfterMs = retryAfterOf(thrown);
  const verdict = status < 500 ? ofClientError(status) : ofServerError(status, retryAfterMs !== undefined);
  return verdict.retryable && retryAfterMs !== undefined ? { ...verdict, retryAfterMs } : verdict;
}
