import type { Subcommand } from './arguments/subcommand.ts'

/** A subcommand before it is loaded: what help and completion need to know. */
export interface SubcommandEntry {
  readonly name: string
  readonly summary: string
  /** Not listed in help: other programs call it. */
  readonly hidden?: true
  load(): Promise<Subcommand>
}

/** Every subcommand, in the order help lists them. INVARIANT: nothing here is loaded before it is used. */
export const SUBCOMMANDS: readonly SubcommandEntry[] = [
  {
    name: 'exec',
    summary: 'run one command through the gate',
    load: async () => (await import('./exec/exec.ts')).command,
  },
  {
    name: 'chat',
    summary: 'talk to an agent whose every tool passes the gate',
    load: async () => (await import('./chat/chat.ts')).command,
  },
  {
    name: 'run',
    summary: 'let an agent do one task alone, within bounds',
    load: async () => (await import('./run/run.ts')).command,
  },
  {
    name: 'mcp',
    summary: 'put an MCP server behind the gate',
    load: async () => (await import('./mcp/mcp.ts')).command,
  },
  {
    name: 'held',
    summary: 'list the calls that wait for a person, or show one',
    load: async () => (await import('./held/held.ts')).command,
  },
  {
    name: 'watch',
    summary: 'see and decide what is held, as it comes',
    load: async () => (await import('./watch/watch.ts')).command,
  },
  { name: 'approve', summary: 'approve a held call', load: async () => (await import('./approve/approve.ts')).command },
  { name: 'reject', summary: 'reject a held call', load: async () => (await import('./reject/reject.ts')).command },
  {
    name: 'serve',
    summary: 'run the gate as a service, with the web inbox',
    load: async () => (await import('./serve/serve.ts')).command,
  },
  {
    name: 'inbox',
    summary: 'open the web inbox of the running service',
    load: async () => (await import('./inbox/inbox.ts')).command,
  },
  {
    name: 'status',
    summary: 'say whether a service runs, and where',
    load: async () => (await import('./status/status.ts')).command,
  },
  {
    name: 'stop',
    summary: 'stop the running service',
    load: async () => (await import('./stop/stop.ts')).command,
  },
  {
    name: 'approvers',
    summary: 'list, add, remove and seal the keys that may decide',
    load: async () => (await import('./approvers/approvers.ts')).command,
  },
  {
    name: 'doctor',
    summary: 'say, by trying, how well the gate is protected',
    load: async () => (await import('./doctor/doctor.ts')).command,
  },
  {
    name: 'preview',
    summary: 'show what a call would do, without asking or running it',
    load: async () => (await import('./preview/preview.ts')).command,
  },
  {
    name: 'risk',
    summary: 'rate a command or a call, and say why',
    load: async () => (await import('./risk/risk.ts')).command,
  },
  {
    name: 'intent',
    summary: 'read what an agent says it is about to do',
    load: async () => (await import('./intent/intent.ts')).command,
  },
  {
    name: 'scan',
    summary: 'find secrets in a text, in files or on stdin',
    load: async () => (await import('./scan/scan.ts')).command,
  },
  {
    name: 'policy',
    summary: 'check, explain and test policy files',
    load: async () => (await import('./policy/policy.ts')).command,
  },
  {
    name: 'journal',
    summary: 'read, verify, export and rotate the journal',
    load: async () => (await import('./journal/journal.ts')).command,
  },
  {
    name: 'history',
    summary: 'list past calls and how they ended',
    load: async () => (await import('./history/history.ts')).command,
  },
  {
    name: 'undo',
    summary: 'put back what a call changed, from the copy kept before it',
    load: async () => (await import('./undo/undo.ts')).command,
  },
  {
    name: 'grants',
    summary: 'list and revoke standing permissions',
    load: async () => (await import('./grants/grants.ts')).command,
  },
  {
    name: 'trust',
    summary: 'show a project’s policy and let it loosen yours',
    load: async () => (await import('./trust/trust.ts')).command,
  },
  {
    name: 'completion',
    summary: 'print a completion script for bash, zsh or fish',
    load: async () => (await import('./completion/completion.ts')).command,
  },
  {
    name: 'complete',
    summary: 'answer a shell’s completion request',
    hidden: true,
    load: async () => (await import('./completion/complete.ts')).command,
  },
  {
    name: 'demo',
    summary: 'see the gate hold a scripted agent, and decide',
    load: async () => (await import('./demo/demo.ts')).command,
  },
]
