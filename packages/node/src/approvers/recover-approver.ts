import { renameSync } from 'node:fs'
import { type Approver, CountersignError } from '@countersign/core'
import { replaceOwnFile, syncFolder } from '../files/private-file.ts'
import type { Home } from '../home/home.ts'
import { withHomeLock } from '../home/lock.ts'
import { newSeed, signerOf } from '../keys/ed25519.ts'
import { keyPath } from '../keys/home-keys.ts'
import { damagedKey, readKeyFile } from '../keys/key-file.ts'
import { replaceApprover } from './approver-registry.ts'
import { type BegunRecovery, endRecovery, type RecoveryAnswer, useRecoveryCode } from './recovery-codes.ts'

/** Uses a recovery code to make a new local key. The key does not count before `finishRecovery`. */
export function beginRecovery(
  home: Home,
  code: string,
  options: { readonly name: string; readonly now: number },
): RecoveryAnswer {
  return useRecoveryCode(home, code, options.now, () => {
    const seed = newSeed()
    const { keyId: id, publicKey } = signerOf(seed)
    const file = { v: 1, kind: 'approver', id, name: options.name, publicKey, seed: seed.toString('base64') }
    replaceOwnFile(newKeyPath(home), `${JSON.stringify(file)}\n`)
    return id
  })
}

/**
 * Puts the new key in the place of the lost one: enrolls it, removes the lost one, and replaces its file. Each step can be
 * repeated after a crash.
 */
export function finishRecovery(home: Home, { key, replaces }: BegunRecovery): Approver {
  const path = keyPath(home, 'approver.key')
  return withHomeLock(home, () => {
    const waiting = readKeyFile(newKeyPath(home), 'approver')
    const isWaiting = waiting?.id === key
    const file = isWaiting ? waiting : readKeyFile(path, 'approver')
    if (file?.id !== key) throw new CountersignError('CS_KEY', 'the recovered key is gone; use another recovery code')
    const { name, publicKey } = file
    if (typeof name !== 'string' || typeof publicKey !== 'string') throw damagedKey(path)
    const approver = { id: key, name, publicKey }
    replaceApprover(home, replaces, approver)
    if (isWaiting) renameSync(newKeyPath(home), path)
    syncFolder(home.keys)
    endRecovery(home, key)
    return approver
  })
}

function newKeyPath(home: Home): string {
  return keyPath(home, 'approver.new.key')
}
