import { reader } from './values.ts'

/** Reads rows of the store on PostgreSQL. */
export const { callOf, changeOf, checkpointOf, entryOf, grantOf, headOf, spanOf } = reader
