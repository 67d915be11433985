import { randomInt } from 'node:crypto'

const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
/** 99 random bits: what lies in the database can't be used to guess it. */
const LENGTH = 20
const GROUP = 5

/** A new code. SECURITY: A2 show it only on a terminal. */
export function newJoinCode(): string {
  const code = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return code.replaceAll(new RegExp(`(.{${GROUP}})(?=.)`, 'g'), '$1-')
}
