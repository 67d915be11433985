import type { Subcommand } from './subcommand.ts'

/** A subcommand before it is loaded: what help and completion need to know. */
export interface SubcommandEntry {
  readonly name: string
  readonly summary: string
  load(): Promise<Subcommand>
}

/** Every subcommand, in the order help lists them. INVARIANT: nothing here is loaded before it is used. */
export const SUBCOMMANDS: readonly SubcommandEntry[] = [
  { name: 'exec', summary: 'run one command through the gate', load: async () => (await import('./exec/exec.ts')).command },
  { name: 'held', summary: 'list the calls that wait for a person, or show one', load: async () => (await import('./held/held.ts')).command },
  { name: 'approve', summary: 'approve a held call', load: async () => (await import('./approve/approve.ts')).command },
  { name: 'reject', summary: 'reject a held call', load: async () => (await import('./reject/reject.ts')).command },
  { name: 'demo', summary: 'watch the gate hold a scripted agent', load: async () => (await import('./demo/demo.ts')).command },
]
