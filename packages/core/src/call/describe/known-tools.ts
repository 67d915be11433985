import type { Kind } from '../descriptor.ts'

/** What is known of a tool by its name: its kind, and arguments that mean something other than their name says. */
export interface KnownTool {
  readonly kind: Kind
  /** Arguments that are paths although their names do not say so. */
  readonly paths?: readonly string[]
  /** A glob whose literal beginning is a path. */
  readonly glob?: string
  /** Shell commands under these names. */
  readonly command?: readonly string[]
  /** The folder a command runs in. */
  readonly cwd?: readonly string[]
  /** Holds patch text, whatever the argument is called. */
  readonly patch?: true
  /** A word list given as `command` is run without a shell. */
  readonly argv?: true
  /** The argument that says where the first of such words was found: no command of its own. */
  readonly found?: string
  /** One argument chooses what the tool does; a value not listed keeps `kind`. */
  readonly kindBy?: { readonly argument: string; readonly kinds: { readonly [value: string]: Kind } }
  /** Left out of the grant key: a model rewords these from call to call, and they change nothing. */
  readonly volatile?: readonly string[]
}

const SHELL: KnownTool = {
  kind: 'execute',
  command: ['command', 'cmd', 'commands', 'commandLine', 'command_line', 'CommandLine', 'script', 'chars', 'input'],
  cwd: ['cwd', 'workdir', 'directory', 'dir_path', 'working_directory', 'Cwd', 'cd', 'path'],
  volatile: [
    'description',
    'explanation',
    'justification',
    'goal',
    'timeout',
    'timeout_ms',
    'timeoutMs',
    'timeoutSec',
    'timeout_seconds',
    'yield_time_ms',
    'max_output_tokens',
  ],
}
const ARGV: KnownTool = { ...SHELL, argv: true }
const READ: KnownTool = { kind: 'read' }
const WRITE: KnownTool = { kind: 'write' }
const PATCH: KnownTool = { kind: 'write', patch: true }
const DELETE: KnownTool = { kind: 'delete' }
const MOVE: KnownTool = {
  kind: 'move',
  paths: ['source', 'destination', 'from', 'to', 'old', 'new', 'src', 'dst', 'dest', 'target'],
}
const FETCH: KnownTool = {
  kind: 'fetch',
  paths: [
    'save_as',
    'saveAs',
    'save_to',
    'saveTo',
    'download_to',
    'downloadTo',
    'dest',
    'destination',
    'outfile',
    'out',
  ],
}
const OTHER: KnownTool = { kind: 'other' }
const EDITOR: KnownTool = { kind: 'write', kindBy: { argument: 'command', kinds: { view: 'read' } } }

/** One row per behaviour; the names are those of Claude Code, Codex, Gemini CLI, Cursor, Copilot, VS Code, opencode, Cline, Roo, Windsurf, goose, Zed, and our own. */
const ROWS: readonly (readonly [KnownTool, string])[] = [
  [
    SHELL,
    'bash powershell pwsh run_command execute_command run_commands run_shell_command run_terminal_cmd run_in_terminal run_terminal_command terminal exec_command write_stdin write_bash developer__shell sh zsh execute_bash',
  ],
  [ARGV, 'shell local_shell container.exec unified_exec'],
  [{ ...ARGV, found: 'program' }, 'exec'],
  [
    READ,
    'read read_file readfile view open_file notebookread list_directory ls list list_dir list_files read_many_files readmanyfiles view_file readlines list_code_definition_names search search_files grep grep_search search_file_content codebase_search semantic_search file_search find_path diagnostics get_errors read_bash bashoutput taskoutput lsp read_lints view_image get_changed_files',
  ],
  [{ kind: 'read', glob: 'pattern' }, 'glob'],
  [{ kind: 'read', glob: 'glob_pattern' }, 'glob_file_search'],
  [
    WRITE,
    'write write_file writefile write_to_file create_file create save_file edit edit_file multiedit multi_edit replace replace_in_file replace_string_in_file multi_replace_string_in_file insert_edit_into_file search_replace search_and_replace insert_content notebookedit edit_notebook edit_notebook_file create_directory mkdir make_directory create_new_jupyter_notebook append_file replace_file_content',
  ],
  [PATCH, 'apply_patch apply_diff patch applypatch applydiff'],
  [DELETE, 'delete delete_file deletefile remove_file delete_path delete_directory rm remove'],
  [MOVE, 'move move_file movefile rename rename_file move_path mv'],
  [{ ...MOVE, kind: 'write' }, 'copy_path copy_file copy cp'],
  [
    FETCH,
    'webfetch web_fetch fetch fetch_url fetch_webpage read_url_content read_url websearch web_search google_web_search search_web',
  ],
  [EDITOR, 'str_replace_based_edit_tool str_replace_editor text_editor developer__text_editor'],
  [
    READ,
    'todowrite todo_write write_todos todoread todo_read update_plan updateplan think sequentialthinking manage_todo_list update_todo_list',
  ],
  [
    OTHER,
    'task agent spawn_agent exitplanmode exit_plan_mode askuserquestion ask_followup_question attempt_completion ask_user proceed',
  ],
]

const TABLE: ReadonlyMap<string, KnownTool> = new Map(
  ROWS.flatMap(([row, names]) => names.split(' ').map((name): [string, KnownTool] => [name, row])),
)

/** Looks a tool up by its bare name, whatever the case. SECURITY: never ask this for a server's tool; any server may name its tool `read_file`. */
export function findKnownTool(name: string): KnownTool | undefined {
  return TABLE.get(name.toLowerCase())
}
