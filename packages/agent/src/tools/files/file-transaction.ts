import { link, rename, rm, rmdir, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { copyTree, holdFolder, inHeldFolder, makeFolders } from '@countersign/node'
import { onFile, toolFailure } from '../definition/tool-failure.ts'
import { type HeldFile, nameBeside, pathOf, refuseSurprise, writeBeside } from './atomic-write.ts'
import type { PatchedFile } from './patched-file.ts'

/** A file being changed: its new and old state, and the folders created for it. */
interface Step extends HeldFile {
  readonly real: string
  readonly made: readonly string[]
  readonly temporary: string | null
  /** The name that the old file has meanwhile. */
  aside: string | null
  done: boolean
}

/**
 * Changes several files, all or none: every new text is written beside its file, every file is checked again, and then
 * all are renamed. If one fails, the others are restored. SECURITY: A7 their folders are held until the end.
 */
export async function replaceFiles(files: readonly PatchedFile[]): Promise<void> {
  const steps: Step[] = []
  try {
    for (const file of files) steps.push(await onFile(file.shown, () => prepare(file)))
    for (const step of steps) await onFile(step.shown, () => refuseSurprise(step))
    for (const step of steps) await onFile(step.shown, () => take(step))
    for (const { folder } of steps) folder.verify()
  } catch (error) {
    await putBack(steps)
    throw error
  } finally {
    for (const step of steps) {
      if (step.done && step.aside !== null) await rm(asidePath(step), { force: true }).catch(() => {})
      step.folder.release()
    }
  }
}

async function prepare({ real, shown, text, before }: PatchedFile): Promise<Step> {
  const parent = dirname(real)
  const folder = text === null ? { ...holdFolder(parent), made: [] } : makeFolders(parent)
  const file = { folder, name: basename(real), shown, before }
  try {
    const temporary = text === null ? null : await writeBeside(file, text)
    return { ...file, real, made: folder.made, temporary, aside: null, done: false }
  } catch (error) {
    folder.release()
    await removeFolders(folder.made)
    throw error
  }
}

async function take(step: Step): Promise<void> {
  const { folder, name, real, before } = step
  if (before !== null) {
    const aside = nameBeside(name)
    const copy = { folder, name: aside, path: real }
    // A hard link is free; where links are unsupported, copy.
    await link(pathOf(step), pathOf(copy)).catch(() => copyTree({ folder, name, path: real }, copy))
    step.aside = aside
  }
  await refuseSurprise(step)
  if (step.temporary === null) await unlink(pathOf(step))
  else await rename(step.temporary, pathOf(step))
  step.done = true
}

function asidePath({ folder, aside }: Step): string {
  return join(folder.at, aside ?? '')
}

/** Undoes in reverse order. What cannot be restored keeps its other name, which the error tells. */
async function putBack(steps: readonly Step[]): Promise<void> {
  const lost: string[] = []
  for (const step of [...steps].reverse()) {
    const { real, shown, made, temporary, aside, done } = step
    try {
      if (temporary !== null && !done) await rm(temporary, { force: true })
      if (done && aside !== null) await rename(asidePath(step), pathOf(step))
      else if (done) await rm(pathOf(step), { force: true })
      else if (aside !== null) await rm(asidePath(step), { force: true })
      step.done = false
      await removeFolders(made)
    } catch {
      step.done = false
      lost.push(aside === null ? `\`${shown}\`` : `\`${shown}\` (as it was: \`${join(dirname(real), aside)}\`)`)
    }
  }
  if (lost.length > 0) throw toolFailure(`the patch failed midway, and this could not be put back: ${lost.join(', ')}`)
}

/** Removes the created folders, innermost first, unless they are not empty. */
async function removeFolders(made: readonly string[]): Promise<void> {
  for (const folder of [...made].reverse()) {
    const gone = await inHeldFolder(dirname(folder), ({ at }) => rmdir(join(at, basename(folder)))).then(
      () => true,
      () => false,
    )
    if (!gone) return
  }
}
