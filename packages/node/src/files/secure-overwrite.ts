import { closeSync, constants, fstatSync, fsyncSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { replaceOwnFile } from './private-file.ts'

/**
 * Replaces a file that holds a secret in one step, and leaves nothing of the old one: its bytes are written over once
 * it has no name any more, and so is what a crash left half done. Where a file system keeps old blocks, or a backup was
 * made before, nobody but its owner can clear that.
 */
export function replaceSecretFile(path: string, text: string): void {
  const old = openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW)
  try {
    replaceOwnFile(path, text)
    wipe(old)
  } finally {
    closeSync(old)
  }
  const started = `${basename(path)}.`
  for (const name of readdirSync(dirname(path)))
    if (name.startsWith(started) && /^[0-9a-f]{16}\.tmp$/.test(name.slice(started.length)))
      rmSync(join(dirname(path), name), { force: true })
}

/** A file that still has a name is somebody's copy, made on purpose. */
function wipe(fd: number): void {
  const { nlink, size } = fstatSync(fd)
  if (nlink > 0) return
  writeSync(fd, Buffer.alloc(size), 0, size, 0)
  fsyncSync(fd)
}
