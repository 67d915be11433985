import { statSync } from 'node:fs'
import { CountersignError, type Crypto, type Quarantine, type QuarantineView } from '@countersign/core'
import { type Home, readApprovers } from '@countersign/node'
import { checkWaits, writeSigned } from './accept.ts'
import { viewQuarantine } from './quarantine-view.ts'
import { findSigner } from './signature.ts'
import { labelFiles } from './view.ts'

/** Opens the quarantine of a home. What is listed is read again only when a file of it has changed. */
export function openQuarantine(home: Home, crypto: Pick<Crypto, 'sha256' | 'verify'>): Quarantine {
  let known: { readonly trace: string; readonly view: QuarantineView } | undefined
  return {
    list() {
      const trace = [home.approvers, ...labelFiles(home)].map(traceOf).join('\n')
      if (known?.trace !== trace) known = { trace, view: viewQuarantine(home, crypto) }
      return known.view
    },
    async accept(signed, record) {
      const signer = findSigner(signed, { crypto, approvers: readApprovers(home) })
      // SECURITY: L8, A2 a signature of a person whose word counts, or nothing happens.
      if (typeof signer === 'string') throw new CountersignError('CS_DECISION_FORGED', signer)
      checkWaits(home, signed.label, signed, crypto)
      await record(signer)
      writeSigned(home, signed, crypto)
    },
  }
}

/** Changes whenever a file does. */
function traceOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return `${path} ${found?.ino} ${found?.size} ${found?.mtimeNs} ${found?.ctimeNs}`
}
