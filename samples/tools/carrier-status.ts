/**
 * The tool `shipments.status`: asks the carrier where a parcel is.
 * Invariant: a carrier that does not answer is a failure that may pass, and says so; nothing else is hidden.
 */
import { IsIn, IsString, Length, Matches } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { BaseTool, Scopes, SideEffect, Tool, type ToolContext, ToolError } from 'toolcrib';
import { injectable } from 'tsyringe';
import { CarrierClient, CarrierUnavailable, PARCEL_STATES, type ParcelState } from '../orders/carrier-client';
import { TRACKING_NUMBER } from '../orders/order';

export class CarrierStatusInput {
  @JSONSchema({ description: "The carrier's tracking number", examples: ['RR100000234DE'] })
  @IsString()
  @Length(13, 13)
  @Matches(TRACKING_NUMBER)
  tracking_number!: string;
}

export class CarrierStatusOutput extends CarrierStatusInput {
  @JSONSchema({ description: 'Where the parcel is', examples: ['in_transit'] })
  @IsIn(PARCEL_STATES)
  state!: ParcelState;
}

@injectable()
@Tool({
  name: 'shipments.status',
  version: '1.0.0',
  owner: 'LogisticsTeam',
  description: 'Ask the carrier where a parcel is, by tracking number',
  input: CarrierStatusInput,
  output: CarrierStatusOutput,
  timeoutMs: 5_000,
})
@Scopes('shipments:read')
@SideEffect('none', { openWorld: true })
export class CarrierStatusTool extends BaseTool<CarrierStatusInput, CarrierStatusOutput> {
  constructor(private readonly carrier: CarrierClient) {
    super();
  }

  async execute({ tracking_number }: CarrierStatusInput, context: ToolContext): Promise<CarrierStatusOutput> {
    try {
      return { tracking_number, state: await this.carrier.track(tracking_number, context.signal) };
    } catch (error) {
      if (!(error instanceof CarrierUnavailable)) throw error;
      throw new ToolError({
        code: 'carrier_unavailable',
        message: 'The carrier does not answer at the moment. Try again.',
        retryable: true,
        retryAfterMs: 1_000,
        cause: error,
      });
    }
  }
}
