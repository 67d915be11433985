import type { HostName } from '../../contract/host-name.ts'

/** How to recognise a coding agent on a machine. */
export interface Agent {
  readonly name: HostName
  /** As people write it. */
  readonly title: string
  /** Names of its program on the `PATH`. */
  readonly programs: readonly string[]
  /** Where its own installer puts the program, below the account's home. */
  readonly places: readonly string[]
  /** Its folders below the account's home. */
  readonly folders: readonly string[]
  /** Its files and folders in a project. */
  readonly project: readonly string[]
  /** `contract only`: written after its documentation, never tested with the real program. */
  readonly evidence: 'proven' | 'contract only'
  /** Whether its hook can make it ask its own person. */
  readonly asks: boolean
}

const agent = (name: HostName, title: string, rest: Omit<Agent, 'name' | 'title' | 'evidence'>): Agent => ({
  name,
  title,
  evidence: PROVEN.has(name) ? 'proven' : 'contract only',
  ...rest,
})

const PROVEN: ReadonlySet<HostName> = new Set(['claude-code', 'codex', 'gemini-cli', 'copilot', 'opencode'])

/** Every coding agent that `countersign init` knows. */
export const AGENTS: readonly Agent[] = [
  agent('claude-code', 'Claude Code', {
    programs: ['claude'],
    places: ['.local/bin/claude', '.claude/local/claude'],
    folders: ['.claude'],
    project: ['.claude'],
    asks: true,
  }),
  agent('codex', 'Codex', {
    programs: ['codex'],
    places: ['.local/bin/codex'],
    folders: ['.codex'],
    project: ['.codex'],
    asks: false,
  }),
  agent('gemini-cli', 'Gemini CLI', {
    programs: ['gemini'],
    places: [],
    folders: ['.gemini'],
    project: ['.gemini'],
    asks: true,
  }),
  agent('copilot', 'Copilot CLI', {
    programs: ['copilot'],
    places: ['.local/bin/copilot'],
    folders: ['.copilot'],
    project: ['.github/hooks', '.github/copilot'],
    asks: true,
  }),
  agent('opencode', 'opencode', {
    programs: ['opencode'],
    places: ['.opencode/bin/opencode'],
    folders: ['.config/opencode'],
    project: ['.opencode', 'opencode.json', 'opencode.jsonc'],
    asks: false,
  }),
  agent('cursor', 'Cursor', {
    programs: ['cursor', 'cursor-agent'],
    places: ['.local/bin/cursor-agent'],
    folders: ['.cursor'],
    project: ['.cursor'],
    asks: false,
  }),
  agent('vscode', 'VS Code', {
    programs: ['code'],
    places: [],
    folders: ['.config/Code', 'Library/Application Support/Code'],
    project: [],
    asks: true,
  }),
  agent('cline', 'Cline', {
    programs: ['cline'],
    places: [],
    folders: ['.cline', 'Documents/Cline'],
    project: ['.cline', '.clinerules'],
    asks: false,
  }),
  agent('goose', 'goose', {
    programs: ['goose'],
    places: ['.local/bin/goose'],
    folders: ['.config/goose', '.local/share/goose'],
    project: ['.goosehints'],
    asks: false,
  }),
]
