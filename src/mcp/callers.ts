/**
 * Finds who makes an HTTP request.
 * Invariant: whoever cannot be found, or not in time, is nobody, and nobody's body is read before.
 */
import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Logger } from '../contract/context';
import { isPrincipal, type Principal } from '../contract/principal';
import { within } from '../contract/within';
import type { ResourceServer } from './auth/resource-server';
import type { PrincipalOfRequest } from './options';
import { refusal } from './responses';

/** Who makes a request, in which session of 2025. */
export interface Caller {
  readonly principal: Principal | undefined;
  readonly authInfo: AuthInfo | undefined;
  readonly session: string | undefined;
}

/** The header of the sessions of 2025. */
export const SESSION_HEADER = 'mcp-session-id';

/** MCP 2025-11-25, Session Management: visible ASCII. */
const SESSION_ID = /^[\x21-\x7E]{1,128}$/;

/** How long `principal`, or a verifier of tokens, may take. */
const IDENTIFY_MS = 30_000;

class TooLate extends Error {}

function sessionOf(request: Request): string | undefined {
  const session = request.headers.get(SESSION_HEADER);
  return session !== null && SESSION_ID.test(session) ? session : undefined;
}

/** A request whose body is still to come: reading it says so, where there would seem to be none. */
function beforeItsBody(request: Request): Request {
  const pull = (controller: ReadableStreamDefaultController) =>
    controller.error(
      new Error(
        'the body of a request is read only once its caller is known; verify it in front of the handler',
      ),
    );
  const init = { body: new ReadableStream({ pull }, { highWaterMark: 0 }), duplex: 'half' as const };
  return new Request(request, init);
}

/** Finds callers by the gate of OAuth, or by the application's own `principal`. */
export class Callers {
  private hasWarned = false;

  constructor(
    private readonly gate: ResourceServer | undefined,
    private readonly principal: PrincipalOfRequest | undefined,
    private readonly logger: Logger,
  ) {}

  /**
   * Who is calling, or the answer to who may not. `isBodyPending`: the body is not in the request.
   *
   * @throws whatever `principal` throws.
   */
  async identify(
    request: Request,
    authInfo: AuthInfo | undefined,
    isBodyPending: boolean,
  ): Promise<Caller | Response> {
    if (this.gate === undefined && this.principal === undefined)
      return { principal: undefined, authInfo, session: sessionOf(request) };
    try {
      return await within(IDENTIFY_MS, this.find(request, authInfo, isBodyPending), () => new TooLate());
    } catch (thrown) {
      if (!(thrown instanceof TooLate)) throw thrown;
      this.logger.error({ waitedMs: IDENTIFY_MS }, 'a request was refused: its caller was not found in time');
      return refusal(503, { 'retry-after': '1' });
    }
  }

  private async find(
    request: Request,
    authInfo: AuthInfo | undefined,
    isBodyPending: boolean,
  ): Promise<Caller | Response> {
    const session = sessionOf(request);
    if (this.gate !== undefined) {
      const found = await this.gate.authenticate(request);
      return found instanceof Response ? found : { ...found, session };
    }
    const asked = isBodyPending ? beforeItsBody(request) : request;
    const found: unknown = await this.principal?.(asked, authInfo);
    if (found instanceof Response) return found;
    const principal = isPrincipal(found) ? found : undefined;
    if (principal === undefined && found !== undefined && !this.hasWarned) {
      this.hasWarned = true;
      const wanted = 'return { id, scopes: [ … ] }, a Response, or undefined';
      this.logger.warn({ type: typeof found }, `principal gave nobody that can be known; ${wanted}`);
    }
    return { principal, authInfo, session };
  }
}
