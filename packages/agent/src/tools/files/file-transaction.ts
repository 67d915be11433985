import { copyFile, link, mkdir, rename, rm, rmdir, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { onFile, toolFailure } from '../definition/tool-failure.ts'
import { nameBeside, refuseSurprise, writeBeside } from './atomic-write.ts'
import type { PatchedFile } from './patched-file.ts'

/** A file being changed: its new and old state, and the folders created for it. */
interface Step {
  readonly file: PatchedFile
  readonly made: string | null
  readonly temporary: string | null
  aside: string | null
  done: boolean
}

/**
 * Changes several files, all or none: every new text is written beside its file, every file is checked again, and then
 * all are renamed. If one fails, the others are restored.
 */
export async function replaceFiles(files: readonly PatchedFile[]): Promise<void> {
  const steps: Step[] = []
  try {
    for (const file of files) steps.push(await onFile(file.shown, () => prepare(file)))
    for (const { file } of steps) await onFile(file.shown, () => refuseSurprise(file.real, file.before, file.shown))
    for (const step of steps) await onFile(step.file.shown, () => take(step))
  } catch (error) {
    await putBack(steps)
    throw error
  }
  for (const { aside } of steps) if (aside !== null) await rm(aside, { force: true }).catch(() => {})
}

async function prepare(file: PatchedFile): Promise<Step> {
  const { real, text, before } = file
  if (text === null) return { file, made: null, temporary: null, aside: null, done: false }
  const made = (await mkdir(dirname(real), { recursive: true })) ?? null
  try {
    return { file, made, temporary: await writeBeside(real, text, before), aside: null, done: false }
  } catch (error) {
    await removeFolders(real, made)
    throw error
  }
}

async function take(step: Step): Promise<void> {
  const { real, shown, before } = step.file
  if (before !== null) {
    const aside = nameBeside(real)
    // A hard link is free; where links are unsupported, copy.
    await link(real, aside).catch(() => copyFile(real, aside))
    step.aside = aside
  }
  await refuseSurprise(real, before, shown)
  if (step.temporary === null) await unlink(real)
  else await rename(step.temporary, real)
  step.done = true
}

/** Undoes in reverse order. What cannot be restored keeps its other name, which the error tells. */
async function putBack(steps: readonly Step[]): Promise<void> {
  const lost: string[] = []
  for (const { file, made, temporary, aside, done } of [...steps].reverse()) {
    try {
      if (temporary !== null && !done) await rm(temporary, { force: true })
      if (done && aside !== null) await rename(aside, file.real)
      else if (done) await rm(file.real, { force: true })
      else if (aside !== null) await rm(aside, { force: true })
      await removeFolders(file.real, made)
    } catch {
      lost.push(aside === null ? `\`${file.shown}\`` : `\`${file.shown}\` (as it was: \`${aside}\`)`)
    }
  }
  if (lost.length > 0) throw toolFailure(`the patch failed midway, and this could not be put back: ${lost.join(', ')}`)
}

/** Removes the created folders, innermost first, unless they are not empty. */
async function removeFolders(real: string, made: string | null): Promise<void> {
  if (made === null) return
  for (let folder = dirname(real); folder.length >= made.length; folder = dirname(folder)) {
    const gone = await rmdir(folder).then(
      () => true,
      () => false,
    )
    if (!gone) return
  }
}
