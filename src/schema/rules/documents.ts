/**
 * The rules on papers, accounts and numbers that each country has its own form of.
 * Invariant: no form of a country is kept here, so all are validator-only; what no argument could make true is
 * refused.
 */
import {
  IsIBAN,
  IsIdentityCard,
  IsMobilePhone,
  IsPassportNumber,
  IsPhoneNumber,
  IsPostalCode,
} from 'class-validator';
import { type Rule, refused, TEXT, validatorOnly, widerPattern } from './rule';

/** The rules on papers, accounts and numbers that each country has its own form of. */
export const DOCUMENT_RULES: readonly Rule[] = [
  {
    decorator: IsIBAN(),
    near: ['DE89 3704 0044 0532 0130 00', 'GB29NWBK60161331926819', 'DE89370400440532013001', 'ATU1'],
    contribute: () => validatorOnly(TEXT),
    // Lists of countries, which class-validator keeps to itself, only make the rule stricter.
    otherwise: validatorOnly(TEXT),
  },
  {
    decorator: IsIdentityCard(),
    near: ['G12345678', '99999999R', '12345678Z', '13407206440', '310101198001010010', 'X'],
    contribute: () => validatorOnly(TEXT),
  },
  {
    decorator: IsMobilePhone(),
    near: ['+4915123456789', '15123456789', '+12025550123', '0201', '+33612345678'],
    contribute: () => validatorOnly(TEXT),
  },
  {
    decorator: IsPhoneNumber(),
    near: ['+49 30 123456', '+12025550123', '(202) 555-0123', ' +12025550123', '+33612345678'],
    contribute: () => validatorOnly(TEXT),
  },
  {
    decorator: IsPassportNumber('DE'),
    near: ['C01X00T47', 'c01 x00t47', '123456789', 'AB1234567', 'A1234567'],
    contribute: () => validatorOnly(TEXT),
  },
  {
    decorator: IsPostalCode('any'),
    near: ['10115', '90210-1234', 'SW1A 1AA', 'K1A 0B1', '1234', 'LV-1010', '123'],
    contribute: ([locale]) =>
      typeof locale === 'string' && locale !== ''
        ? widerPattern('^[\\w\\s-]{2,10}$')
        : refused('the postal code has no country', "Name one, as in @IsPostalCode('DE'), or 'any'."),
  },
];
