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
    name: 'init',
    summary: 'put the coding agents on this machine behind the gate',
    load: async () => (await import('./init/init.ts')).command,
  },
  {
    name: 'exec',
    summary: 'run a command through the gate',
    load: async () => (await import('./exec/exec.ts')).command,
  },
  {
    name: 'chat',
    summary: 'chat with an agent whose tool calls are gated',
    load: async () => (await import('./chat/chat.ts')).command,
  },
  {
    name: 'run',
    summary: 'let an agent do a task unattended, within limits',
    load: async () => (await import('./run/run.ts')).command,
  },
  {
    name: 'mcp',
    summary: 'put an MCP server behind the gate',
    load: async () => (await import('./mcp/mcp.ts')).command,
  },
  {
    name: 'contain',
    summary: 'run a command in the sandbox',
    load: async () => (await import('./contain/contain.ts')).command,
  },
  {
    name: 'hook',
    summary: 'answer a coding agent’s hook event (called by the agent)',
    hidden: true,
    load: async () => (await import('./hook/hook.ts')).command,
  },
  {
    name: 'held',
    summary: 'list held calls, or show one in full',
    load: async () => (await import('./held/held.ts')).command,
  },
  {
    name: 'watch',
    summary: 'review held calls as they arrive',
    load: async () => (await import('./watch/watch.ts')).command,
  },
  { name: 'approve', summary: 'approve a held call', load: async () => (await import('./approve/approve.ts')).command },
  { name: 'reject', summary: 'reject a held call', load: async () => (await import('./reject/reject.ts')).command },
  {
    name: 'pause',
    summary: 'hold every call of every agent, until you resume',
    load: async () => (await import('./pause/pause.ts')).command,
  },
  { name: 'resume', summary: 'end a pause', load: async () => (await import('./resume/resume.ts')).command },
  {
    name: 'serve',
    summary: 'run the gate as a service, with the web inbox',
    load: async () => (await import('./serve/serve.ts')).command,
  },
  {
    name: 'inbox',
    summary: 'open the web inbox',
    load: async () => (await import('./inbox/inbox.ts')).command,
  },
  {
    name: 'status',
    summary: 'show whether the service is running, and where',
    load: async () => (await import('./status/status.ts')).command,
  },
  {
    name: 'stop',
    summary: 'stop the service',
    load: async () => (await import('./stop/stop.ts')).command,
  },
  {
    name: 'notify',
    summary: 'get notified of held calls: desktop, phone, webhooks',
    load: async () => (await import('./notify/notify.ts')).command,
  },
  {
    name: 'approvers',
    summary: 'manage the keys that can approve calls',
    load: async () => (await import('./approvers/approvers.ts')).command,
  },
  {
    name: 'home',
    summary: 'back up, restore or move the home',
    load: async () => (await import('./home-copies/home.ts')).command,
  },
  {
    name: 'store',
    summary: 'keep the store on PostgreSQL: check, migrate, copy, use, roles',
    load: async () => (await import('./store/store.ts')).command,
  },
  {
    name: 'gates',
    summary: 'share a store with other machines: list, join, admit, remove',
    load: async () => (await import('./gates/gates.ts')).command,
  },
  {
    name: 'doctor',
    summary: 'test how well this setup is protected',
    load: async () => (await import('./doctor/doctor.ts')).command,
  },
  {
    name: 'preview',
    summary: 'show what a call would do, without running it',
    load: async () => (await import('./preview/preview.ts')).command,
  },
  {
    name: 'risk',
    summary: 'rate the risk of a command or tool call',
    load: async () => (await import('./risk/risk.ts')).command,
  },
  {
    name: 'intent',
    summary: 'detect what an agent’s message announces or asks for',
    load: async () => (await import('./intent/intent.ts')).command,
  },
  {
    name: 'scan',
    summary: 'find secrets in text, files or stdin',
    load: async () => (await import('./scan/scan.ts')).command,
  },
  {
    name: 'policy',
    summary: 'check, explain, test and change the policy',
    load: async () => (await import('./policy/policy.ts')).command,
  },
  {
    name: 'knowledge',
    summary: 'check, test and show rows about your own programs and tools',
    load: async () => (await import('./knowledge/knowledge.ts')).command,
  },
  {
    name: 'journal',
    summary: 'read, verify, export and rotate the journal',
    load: async () => (await import('./journal/journal.ts')).command,
  },
  {
    name: 'history',
    summary: 'list past calls and their outcomes',
    load: async () => (await import('./history/history.ts')).command,
  },
  {
    name: 'undo',
    summary: 'undo the file changes of a call',
    load: async () => (await import('./undo/undo.ts')).command,
  },
  {
    name: 'changes',
    summary: 'list, review and undo changes nobody has seen',
    load: async () => (await import('./changes/changes.ts')).command,
  },
  {
    name: 'grants',
    summary: 'list and revoke grants',
    load: async () => (await import('./grants/grants.ts')).command,
  },
  {
    name: 'trust',
    summary: 'review and trust a project’s policy',
    load: async () => (await import('./trust/trust.ts')).command,
  },
  {
    name: 'completion',
    summary: 'print a completion script for bash, zsh or fish',
    load: async () => (await import('./completion/completion.ts')).command,
  },
  {
    name: 'complete',
    summary: 'complete a command line (called by the shell script)',
    hidden: true,
    load: async () => (await import('./completion/complete.ts')).command,
  },
  {
    name: 'demo',
    summary: 'try it: a scripted agent, and you decide',
    load: async () => (await import('./demo/demo.ts')).command,
  },
]
