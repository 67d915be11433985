import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Home,
  joinStore,
  newJoinCode,
  openCrypto,
  openHome,
  openHomeStore,
  writeStoreSetting,
} from '@countersign/node'
import { migrateSchema, parseStoreAddress } from '@countersign/postgres'
import { temporaryFolder } from '../temporary-folder.ts'

/** Homes that share a store, as those of several machines do, and the folder that their agents work in. */
export interface SharedHomes {
  readonly homes: readonly Home[]
  readonly workspace: string
}

/** Makes one home per address of the same store: the first begins to share it, the others join. */
export async function shareStore(addresses: readonly string[], policy: string): Promise<SharedHomes> {
  const root = temporaryFolder()
  const workspace = join(root, 'project')
  mkdirSync(workspace)
  const homes: Home[] = []
  for (const [at, address] of addresses.entries()) {
    const home = openHome(join(root, `home${at}`))
    writeFileSync(home.policy, policy, { mode: 0o600 })
    const [first] = homes
    if (first === undefined) await begin(home, address)
    else await admitTo(first, home, address)
    homes.push(home)
  }
  return { homes, workspace: realpathSync(workspace) }
}

async function begin(home: Home, address: string): Promise<void> {
  await migrateSchema(parseStoreAddress(address))
  writeStoreSetting(home, address)
  const { store } = await openHomeStore(home, { crypto: openCrypto(home) })
  await store.close()
}

async function admitTo(first: Home, home: Home, address: string): Promise<void> {
  const { store, gates } = await openHomeStore(first, { crypto: openCrypto(first) })
  const code = newJoinCode()
  const asked = Promise.withResolvers<void>()
  try {
    const joining = joinStore(home, address, { code, onAsked: asked.resolve })
    await Promise.race([asked.promise, joining])
    await gates?.admit(code)
    await joining
  } finally {
    await store.close()
  }
}
