/**
 * Stands in for a carrier's web service, which is not always there.
 * Invariant: it fails in a fixed rhythm, so that the sample runs alike every time.
 */
import { injectable } from 'tsyringe';

/** Where a parcel can be. */
export const PARCEL_STATES = ['accepted', 'in_transit', 'out_for_delivery', 'delivered'] as const;

/** One of {@link PARCEL_STATES}. */
export type ParcelState = (typeof PARCEL_STATES)[number];

/** Thrown when the carrier does not answer. */
export class CarrierUnavailable extends Error {}

/** Asks the carrier. */
@injectable()
export class CarrierClient {
  private requests = 0;

  /** The state of a parcel. The first of every three requests fails. */
  async track(trackingNumber: string, signal: AbortSignal): Promise<ParcelState> {
    signal.throwIfAborted();
    this.requests += 1;
    if (this.requests % 3 === 1) throw new CarrierUnavailable('503 Service Unavailable');
    const lastDigit = Number(trackingNumber.at(-3));
    return PARCEL_STATES[lastDigit % PARCEL_STATES.length] ?? 'accepted';
  }
}
