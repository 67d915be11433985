import type { Language } from './language-syntax.ts'

/** What a called name does. */
export type ActKind =
  /** Starts a program or a shell. */
  | 'run'
  | 'delete'
  /** Deletes a folder with all that is in it. */
  | 'delete-all'
  | 'write'
  /** Takes the first path away and writes the second. */
  | 'move'
  /** Reads the first path and writes the second. */
  | 'copy'
  | 'read'
  /** Reads or writes, as its second argument says. */
  | 'open'
  /** Asks the network. */
  | 'fetch'
  | 'send'
  /** Opens a raw connection, listens, or deletes on a server. */
  | 'connect'
  /** Runs text as code, or loads what can run as code. */
  | 'eval'
  /** Gives SQL to a database. */
  | 'query'

/** Names by what they do: `os.system` needs its owner, `*rmtree` is told by itself. */
export type CallNames = Readonly<Partial<Record<ActKind, string>>>

const NODE: CallNames = {
  run:
    '*execSync *spawnSync *execFile *execFileSync *spawn child_process.exec child_process.fork cp.exec exec ' +
    'Bun.spawn Deno.Command *execa *execaCommand *execaSync pty.spawn process.execve',
  delete: '*unlink *unlinkSync *rmdir *rmdirSync Deno.remove Deno.removeSync *removeSync fs.remove',
  'delete-all': '*rmSync fs.rm promises.rm fsp.rm rm *rimraf *emptyDirSync *emptyDir',
  write:
    '*writeFileSync *writeFile *appendFileSync *appendFile *createWriteStream *mkdirSync fs.mkdir *mkdtempSync ' +
    '*chmodSync *chownSync *truncateSync *outputFile *outputFileSync *writeJson *writeJsonSync Bun.write ' +
    'Deno.writeTextFile Deno.writeTextFileSync Deno.writeFile Deno.mkdir fs.chmod fs.truncate *openSync',
  move: '*renameSync fs.rename promises.rename *moveSync Deno.rename Deno.renameSync',
  copy: '*copyFileSync *copyFile *cpSync fs.cp promises.cp *symlinkSync *linkSync Deno.copyFile',
  read: '*readFileSync *readFile *createReadStream Deno.readTextFile Deno.readTextFileSync Bun.file *readdirSync',
  query: '*query *$executeRawUnsafe *$queryRawUnsafe db.exec db.run pool.query client.query',
  fetch: 'fetch http.get https.get axios.get axios got undici.request *XMLHttpRequest',
  send: 'http.request https.request axios.post axios.put axios.patch',
  connect:
    'http.createServer https.createServer net.connect net.createConnection net.createServer ' +
    'net.Socket tls.connect dgram.createSocket axios.delete *WebSocket Bun.serve Deno.serve Deno.connect Deno.listen',
  eval:
    'eval Function vm.runInThisContext vm.runInNewContext vm.runInContext vm.Script vm.compileFunction ' +
    '*_load *dlopen process.binding worker_threads.Worker *constructor',
}

const PYTHON: CallNames = {
  run:
    '*system *popen subprocess.run subprocess.call *check_call *check_output *Popen *getoutput *getstatusoutput ' +
    '*execv *execve *execvp *execvpe *execl *execle *execlp *execlpe *spawnl *spawnv *spawnlp *spawnvp ' +
    '*posix_spawn pty.spawn *create_subprocess_shell *create_subprocess_exec pexpect.spawn pexpect.run os.startfile',
  delete: 'os.remove os.unlink *unlink os.rmdir *rmdir send2trash',
  'delete-all': '*rmtree *removedirs',
  write:
    '*write_text *write_bytes *makedirs os.mkdir *mkdir *touch os.chmod os.chown os.truncate *mkfifo os.mknod ' +
    '*extractall *urlretrieve *chmod',
  move: 'os.rename os.replace shutil.move os.renames',
  copy: 'shutil.copy shutil.copy2 shutil.copyfile shutil.copytree os.symlink os.link',
  read: '*read_text *read_bytes',
  open: 'open io.open codecs.open os.open gzip.open',
  query: '*execute *executescript *executemany *read_sql',
  fetch: '*urlopen requests.get requests.head httpx.get *urlretrieve urllib.request.Request',
  send:
    'requests.post requests.put requests.patch requests.request requests.Session httpx.post httpx.put httpx.Client ' +
    '*ClientSession *HTTPConnection *HTTPSConnection',
  connect:
    'requests.delete httpx.delete *socket *create_connection *FTP *SMTP ' +
    '*SMTP_SSL *SSHClient *Telnet *create_server *serve_forever *TCPServer *HTTPServer',
  eval:
    'eval exec compile execfile globals *import_module *run_path *run_module *CDLL *cdll *windll *FFI pickle.load ' +
    'pickle.loads cPickle.loads marshal.load marshal.loads dill.loads dill.load joblib.load code.interact ' +
    '*InteractiveConsole *exec_module *__builtins__ *__subclasses__ *__globals__ builtins.eval builtins.exec',
}

const RUBY: CallNames = {
  run:
    'system exec spawn Kernel.system Kernel.exec Kernel.spawn Process.spawn IO.popen *popen Open3.capture2 ' +
    'Open3.capture3 Open3.capture2e Open3.popen3 Open3.pipeline PTY.spawn fork syscall',
  delete: 'File.delete File.unlink Dir.rmdir Dir.delete Dir.unlink FileUtils.rm FileUtils.rm_f FileUtils.remove',
  'delete-all': '*rm_rf *rm_r *rmtree *remove_dir *remove_entry *remove_entry_secure',
  write:
    'File.write IO.write IO.binwrite File.binwrite FileUtils.mkdir_p FileUtils.mkdir Dir.mkdir FileUtils.touch ' +
    'FileUtils.chmod FileUtils.chmod_R File.chmod File.truncate FileUtils.chown FileUtils.chown_R',
  move: 'File.rename FileUtils.mv FileUtils.move',
  copy: 'FileUtils.cp FileUtils.cp_r FileUtils.copy FileUtils.ln_s File.symlink',
  read: 'File.read IO.read File.readlines IO.readlines File.foreach File.binread',
  open: 'File.open File.new open',
  query: '*execute *exec_query *exec_params',
  fetch: 'Net.HTTP.get URI.open *get_response',
  connect: '*TCPSocket *UDPSocket *TCPServer *UNIXSocket *Socket',
  send: '*post_form Net.HTTP.post Net.HTTP.start Net.HTTP.new',
  eval:
    'eval *instance_eval *class_eval *module_eval Marshal.load load *const_get *binding Object.send Kernel.send ' +
    'YAML.unsafe_load *dlopen',
}

const PERL: CallNames = {
  run: 'system exec *popen fork syscall',
  delete: 'unlink rmdir',
  'delete-all': '*rmtree *remove_tree',
  write: 'mkdir chmod chown truncate *make_path *mkpath utime *spew *write_file',
  move: 'rename *move',
  copy: 'copy symlink link',
  read: '*slurp *read_file',
  open: 'open sysopen',
  fetch: '*getstore LWP.Simple.get get',
  send: 'LWP.UserAgent HTTP.Tiny *UserAgent',
  connect: 'socket connect IO.Socket IO.Socket.INET Net.FTP Net.SMTP bind listen',
  eval: 'eval do require DynaLoader.dl_load_file',
}

const PHP: CallNames = {
  run: 'system exec shell_exec passthru popen proc_open pcntl_exec pcntl_fork expect_popen',
  delete: 'unlink rmdir',
  write: 'file_put_contents mkdir chmod chown touch tempnam ftruncate',
  move: 'rename move_uploaded_file',
  copy: 'copy symlink link',
  read: 'file_get_contents readfile file parse_ini_file scandir',
  open: 'fopen',
  query: 'mysqli_query pg_query *query *prepare',
  fetch: 'curl_init get_headers',
  connect: 'curl_exec fsockopen pfsockopen stream_socket_client stream_socket_server socket_create mail ftp_connect',
  eval:
    'eval assert create_function call_user_func call_user_func_array unserialize dl include include_once require ' +
    'require_once register_shutdown_function ReflectionFunction',
}

const LUA: CallNames = {
  run: 'os.execute io.popen',
  delete: 'os.remove',
  move: 'os.rename',
  open: 'io.open io.lines',
  connect: '*tcp *udp *connect',
  eval: 'load loadstring dofile loadfile package.loadlib',
}

const R: CallNames = {
  run: 'system system2 shell processx.run',
  delete: 'file.remove',
  'delete-all': 'unlink',
  write: 'writeLines write.csv write.table saveRDS save dir.create file.create sink write',
  move: 'file.rename',
  copy: 'file.copy',
  read: 'readLines read.csv readRDS',
  fetch: 'download.file url',
  connect: 'socketConnection',
  eval: 'eval source install.packages parse dyn.load',
}

const OSASCRIPT: CallNames = { run: 'script', eval: 'tell run activate delete keystroke' }

/** Without a table of its own a language is searched for what such names are usually called. */
const OTHER: CallNames = {
  run: '*system *exec *spawn *popen *shell *cmd *Cmd *run *execute *command *ProcessBuilder *os *Runtime',
  'delete-all': '*rm *rmtree *unlink *delete *remove *rm_rf *deleteRecursive',
  write: '*write *open *rename *chmod *mv *cp *File',
  connect: '*socket *fetch *http *HTTPoison *download *URL *TcpStream',
  eval: '*eval *load *apply *require',
}

/** The names looked for, by language. awk is read by its own scanner. */
export const CALL_NAMES: Readonly<Record<Language, CallNames>> = {
  python: PYTHON,
  node: NODE,
  perl: PERL,
  ruby: RUBY,
  php: PHP,
  lua: LUA,
  r: R,
  awk: {},
  osascript: OSASCRIPT,
  other: OTHER,
}
