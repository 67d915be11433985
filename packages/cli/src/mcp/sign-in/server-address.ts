import { CountersignError } from '@countersign/core'
import { readSignInAddress, URL_VARIABLE } from '@countersign/mcp'
import type { Io } from '../../terminal/io.ts'

/** The server that is meant: from the command line, else from the variable. */
export function signInAddress(given: string | undefined, io: Io): URL {
  const address = given ?? io.env[URL_VARIABLE]
  if (address === undefined)
    throw new CountersignError('CS_USAGE', `name the server’s address, or give it in \`${URL_VARIABLE}\``)
  return readSignInAddress(address)
}
