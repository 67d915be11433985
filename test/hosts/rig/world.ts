import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The folders of one run. */
export interface World {
  readonly root: string
  readonly home: string
  readonly project: string
}

/** Runs with a private home and an empty project, and removes both afterwards. */
export async function withWorld<T>(run: (world: World) => Promise<T>): Promise<T> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-host-')))
  const world = { root, home: join(root, 'home'), project: join(root, 'project') }
  for (const folder of [world.home, world.project]) mkdirSync(folder)
  try {
    return await run(world)
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  }
}
