import { assessConverter, assessIndex, assessUnset, readsUnless, writesSecond } from '../files/converters.ts'
import { filterUnless } from '../files/file-operations.ts'
import { assessMan, assessPager } from '../files/pagers.ts'
import { fixed, type ProgramRow, READS, SMALL } from './program-row.ts'

/** Listing and looking at files. */
const LOOKS =
  'ls gls dir vdir exa eza lsd head ghead tail gtail wc gwc stat gstat file du df tree pwd which whereis locate plocate ' +
  'mlocate pbpaste basename dirname realpath grealpath readlink greadlink namei lsattr getfattr getfacl cmp diff colordiff sdiff ' +
  'diff3 wdiff zdiff difft dyff comm join cksum sum md5 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum ' +
  'b2sum b3sum xxhsum crc32 hashdeep gcmp dust duf ncdu gdu broot ranger nnn lf yazi mdls mdfind dirs'

/** Text filters that print. */
const FILTERS =
  'cut gcut tr gtr rev nl fold fmt column paste expand unexpand pr tsort shuf gshuf look base32 base64 basenc od ' +
  'hexdump hd hexyl strings iconv uconv zcat gzcat zgrep zegrep zfgrep xzcat xzgrep bzcat bzgrep lz4cat zstdcat zstdgrep jq gojq jaq ' +
  'jql gron fx jless xmllint xmlstarlet xq htmlq pup csvlook csvstat csvcut csvgrep csvjson csvsort csvkit xsv qsv mlr ' +
  'datamash choose lolcat figlet cowsay fortune toilet boxes ccze grc highlight pygmentize chroma mdcat ' +
  'html2text unaccent detex untex pdftotext pdfinfo pdffonts exiftool identify ffprobe mediainfo soxi ' +
  'zipinfo zipgrep lsar cbonsai ansi2txt ansifilter aha numfmt units'

/** Facts about the machine and its processes. */
const MACHINE =
  'whoami who w users id groups logname uname arch nproc getconf uptime free vmstat iostat dstat lscpu ' +
  'lsblk lsusb lspci neofetch fastfetch screenfetch ps pstree top ' +
  'lsof htop btop atop glances nvtop nvidia-smi nethogs procs pgrep pidof pmap pwdx acpi ' +
  'upower tput clear reset stty tty locale lsb_release hostid sw_vers system_profiler vm_stat ioreg ' +
  'last lastlog lastb faillog ac kstat prtconf uuid uuidgen ulid nanoid ' +
  'tzselect zdump cal ncal gcal factor seq gseq jot yes sleep usleep true false : test [ [[ expr bc dc calc qalc ' +
  'echo gecho printf gprintf gdate apropos whatis info tldr cheat help pinfo'

/** What the shell does for itself. */
const SHELL =
  'type jobs fg bg wait cd pushd popd z zoxide exit return break continue shift let getopts read hash times ulimit umask ' +
  'shopt local declare typeset readonly mapfile readarray compgen complete compopt caller suspend logout enable setopt ' +
  'unsetopt autoload zstyle bindkey zmodload emulate functions whence where rehash limit unlimit disown'

/** Looking into programs and code. */
const CODE =
  'cloc tokei scc loc sloccount gocloc ldd otool nm objdump readelf size elfdump dwarfdump addr2line c++filt ' +
  'jdeprscan rabin2 binwalk shellcheck hadolint yamllint ' +
  'actionlint zizmor semgrep trivy osv-scanner pip-audit licensee ' +
  'markdown-link-check lychee linkchecker jsonlint ajv check-jsonschema xmlwf ' +
  'git-sizer onefetch gitstats git-quick-stats dockle'

/** Less known ones that only print. */
const FURTHER =
  'envsubst getopt gettext ngettext perldoc pydoc pydoc3 col colrm colcrt dircolors mountpoint lsmem lslocks lsirq ipcs json_pp ' +
  'pod2text pod2man pod2usage pod2html podchecker rgrep xprop xwininfo xdpyinfo xev xlsclients infocmp tset tabs ul tload pinky ' +
  'pathchk ptx zcmp xzcmp xzdiff bzcmp bzdiff lzcat lzgrep xzegrep bzegrep readtags manpath lexgrog expiry fincore pldd nstat ' +
  'fc-query fc-scan fc-pattern xml2-config xslt-config python3-config llvm-config icuinfo dbus-monitor utmpdump ' +
  'pipdeptree safety gitlint semver gitversion opa hcl2json yj vd visidata datasette nbdime log ' +
  'py-spy memray tree-sitter dtruss fs_usage sample lsregister tlp-stat powertop'

/** Programs for reading and small local effects. */
export const PLAIN: readonly ProgramRow[] = [
  [FURTHER, READS],
  [LOOKS, READS],
  [FILTERS, READS],
  [MACHINE, READS],
  [SHELL, READS],
  [CODE, READS],
  ['xxd', writesSecond],
  ['unset set', assessUnset],
  [
    'mkdir gmkdir touch gtouch mktemp gmktemp mkfifo mkdirp logger wait-for-it wait-for wait-port tee gtee ' +
      'install-info notify-send terminal-notifier say espeak spd-say pbcopy xclip xsel wl-copy wl-paste clip.exe trap alias ' +
      'unalias bind abbr sync updatedb pv beep fc-cache fc-list fc-match ' +
      'vipe fzf sk peco gum dialog whiptail zenity rofi dmenu asciinema screenkey pyclean py3clean',
    SMALL,
  ],
  [
    'cpp strip ranlib objcopy gcov gprof prove dlv gopls air templ sqlc swag mockery wasmtime wasmer wasm-opt torchrun accelerate ' +
      'deepspeed tensorboard mlflow papermill jupytext nbstripout symfony sail quarkus pyinstaller nuitka ' +
      'pip-compile scalene scrapy ember quasar ccmake lldb-dap patchelf msgcat msginit screencapture watchman gettextize octave',
    SMALL,
  ],
  [
    'act wandb kaggle pip-sync wp drush valet jbang codesign install_name_tool lipo xcode-select mandb tic localedef ' +
      'chcon restorecon ipcrm qemu-system-x86_64 qemu-system-aarch64 rename.ul savelog write mesg bower localstack gomplate',
    fixed('medium', 'plain.changes', 'changes files, settings or services'),
  ],
  [
    'huggingface-cli hf',
    readsUnless(/^(?:upload|download|delete|login|repo|upload-large-folder|jobs)$/, 'moves models or signs in'),
  ],
  [
    'fab knife chef-client chef puppet salt salt-call salt-ssh wall mknod login newgrp kernel-install',
    fixed('high', 'system.reach', 'changes other machines or the system'),
  ],
  ['editor sensible-editor', fixed('medium', 'files.editor', 'opens an editor')],
  ['pager sensible-pager', assessPager],
  ['ctags etags gtags global cscope', assessIndex],
  [
    'ffmpeg convert magick mogrify montage composite sox lame flac oggenc opusenc gifsicle pngquant optipng jpegoptim cwebp ' +
      'dwebp avifenc svgexport rsvg-convert inkscape gs ghostscript pandoc pdflatex xelatex lualatex latexmk tectonic bibtex ' +
      'biber asciidoctor rst2html wkhtmltopdf weasyprint qpdf pdftk pdfunite pdfseparate pdftoppm pdfcrop img2pdf ocrmypdf ' +
      'tesseract potrace dot neato fdp sfdp circo gnuplot sips iconutil plutil textutil afconvert ' +
      'csv2json json2csv in2csv xlsx2csv libreoffice soffice unoconv calibre-convert ebook-convert mkvmerge mp4box ' +
      'exiv2 jhead mermaid-cli drawio typst groff troff ps2pdf pdf2svg enscript recode msgfmt msgmerge xgettext genisoimage mkisofs',
    assessConverter,
  ],
  ['man gman', assessMan],
  ['less gless more zless zmore most', assessPager],
  ['bat batcat glow delta moar', filterUnless('--pager')],
  [
    'hyperfine',
    ({ hasInner, ...facts }) =>
      fixed(hasInner ? 'none' : 'high', 'code.bench', 'runs the commands it is given')({ ...facts, hasInner }),
  ],
  ['gpgconf', READS],
  [
    'claude codex gemini aider opencode cline llm mods sgpt amp crush qwen',
    fixed('medium', 'agent.other', 'starts another agent or model'),
  ],
  [
    'ollama',
    readsUnless(/^(?:run|serve|start|pull|push|create|rm|cp|stop|launch|signin|signout)$/, 'runs or changes a model'),
  ],
  ['wine qemu-img', fixed('medium', 'system.other', 'runs or changes another system')],
  [
    'iex irb pry scala jshell utop bpython ptpython ipython sqlite-utils',
    fixed('medium', 'code.session', 'opens a session or runs code'),
  ],
  ['lsappinfo networkQuality', readsUnless(/^-(?:E|i|d)$/, 'changes the machine’s index')],
]
