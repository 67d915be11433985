import type { HostName } from '../../contract/host-name.ts'
import { contractOf } from '../../hosts/contracts.ts'

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

/** What its contract does not say. */
type Traces = Pick<Agent, 'programs' | 'places' | 'folders' | 'project'>

const agent = (name: HostName, traces: Traces): Agent => {
  const { title, evidence, asks } = contractOf(name)
  return { name, title, evidence, asks, ...traces }
}

/** Every coding agent that `countersign init` knows. */
export const AGENTS: readonly Agent[] = [
  agent('claude-code', {
    programs: ['claude'],
    places: ['.local/bin/claude', '.claude/local/claude'],
    folders: ['.claude'],
    project: ['.claude'],
  }),
  agent('codex', {
    programs: ['codex'],
    places: ['.local/bin/codex'],
    folders: ['.codex'],
    project: ['.codex'],
  }),
  agent('gemini-cli', {
    programs: ['gemini'],
    places: [],
    folders: ['.gemini'],
    project: ['.gemini'],
  }),
  agent('copilot', {
    programs: ['copilot'],
    places: ['.local/bin/copilot'],
    folders: ['.copilot'],
    project: ['.github/hooks', '.github/copilot'],
  }),
  agent('opencode', {
    programs: ['opencode'],
    places: ['.opencode/bin/opencode'],
    folders: ['.config/opencode'],
    project: ['.opencode', 'opencode.json', 'opencode.jsonc'],
  }),
  agent('cursor', {
    programs: ['cursor', 'cursor-agent'],
    places: ['.local/bin/cursor-agent'],
    folders: ['.cursor'],
    project: ['.cursor'],
  }),
  agent('vscode', {
    programs: ['code'],
    places: [],
    folders: ['.config/Code', 'Library/Application Support/Code'],
    project: [],
  }),
  agent('cline', {
    programs: ['cline'],
    places: [],
    folders: ['.cline', 'Documents/Cline'],
    project: ['.cline', '.clinerules'],
  }),
  agent('goose', {
    programs: ['goose'],
    places: ['.local/bin/goose'],
    folders: ['.config/goose', '.local/share/goose'],
    project: ['.goosehints'],
  }),
]
