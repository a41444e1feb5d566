//! What a command prints: headings, fields and tables, drawn for a terminal or plain for a pipe.
//!
//! Plain text is for programs and `grep`: no box drawing, no colour, one fact on one line. On a
//! terminal lines wrap inside their columns.

use std::fmt::{Display, Write as _};
use std::io::{self, IsTerminal, Write};

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, TableStyle};

/// Lines around the table and under the headings, none between rows: tables stay short.
const RULED: TableStyle = TableStyle::new()
    .top_border(LineStyle::none().fill('─').junction('─'))
    .header_separator(LineStyle::none().fill('─').junction('─'))
    .bottom_border(LineStyle::none().fill('─').junction('─'));
/// No wider than this even on a wider terminal: longer lines are hard to follow.
const WIDTH_MAX: u16 = 110;
/// Where the terminal does not say how wide it is.
const WIDTH_DEFAULT: u16 = 80;
/// Blanks around a cell.
const CELL_PADDING: usize = 3;
/// Narrower, text in a last column is hard to read.
const LAST_WIDTH_MIN: usize = 24;
/// Fields' values begin here.
const FIELD_WIDTH: usize = 16;

/// For whom a page is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// For a pipe or a file.
    Plain,
    /// For a terminal of that many columns.
    Terminal { width: u16 },
}

impl Style {
    /// By what standard output is.
    pub(crate) fn of_stdout() -> Style {
        if !io::stdout().is_terminal() {
            return Style::Plain;
        }
        let width = comfy_table::Table::new().width().unwrap_or(WIDTH_DEFAULT);
        // A terminal that says 0 does not know.
        Style::Terminal { width: if width == 0 { WIDTH_DEFAULT } else { width.min(WIDTH_MAX) } }
    }
}

/// To which side a column's cells go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// Text.
    Left,
    /// Numbers.
    Right,
}

/// Rows under headings.
#[derive(Debug)]
pub(crate) struct Table {
    columns: Vec<(String, Side)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these headings.
    pub(crate) fn new<'a>(columns: impl IntoIterator<Item = (&'a str, Side)>) -> Table {
        Table {
            columns: columns.into_iter().map(|(name, side)| (name.to_owned(), side)).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let mut cells: Vec<String> = cells.into_iter().map(|cell| visible(&cell)).collect();
        cells.resize(self.columns.len(), String::new());
        self.rows.push(cells);
    }

    /// Whether there is nothing under the headings.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Of each column the longest cell or heading, in characters.
    fn widths(&self) -> Vec<usize> {
        let mut widths: Vec<usize> = self.columns.iter().map(|(name, _)| name.chars().count()).collect();
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count());
            }
        }
        widths
    }

    /// Columns two blanks apart, nothing wrapped.
    fn plain(&self, text: &mut String) {
        let headings: Vec<String> = self.columns.iter().map(|(name, _)| name.clone()).collect();
        let widths = self.widths();
        for row in std::iter::once(&headings).chain(&self.rows) {
            let mut line = String::new();
            for ((cell, width), (_, side)) in row.iter().zip(&widths).zip(&self.columns) {
                let padding = " ".repeat(width - cell.chars().count());
                match side {
                    Side::Left => line.extend([cell, padding.as_str(), "  "]),
                    Side::Right => line.extend([padding.as_str(), cell, "  "]),
                }
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }

    fn drawn(&self, width: u16, text: &mut String) {
        let mut table = comfy_table::Table::new();
        table.load_style(RULED);
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
        table.set_header(self.columns.iter().map(|(name, _)| name));
        table.add_rows(&self.rows);
        // Only the last column wraps, so that names and numbers stay whole; where they leave it no room,
        // every column does.
        let last = self.columns.len().saturating_sub(1);
        let fixed: usize = self.widths().iter().take(last).map(|width| width + CELL_PADDING).sum();
        let room = fixed + LAST_WIDTH_MIN <= usize::from(width);
        for (index, (column, (_, side))) in table.column_iter_mut().zip(&self.columns).enumerate() {
            if room && index < last {
                column.set_constraint(ColumnConstraint::ContentWidth);
            }
            column.set_cell_alignment(match side {
                Side::Left => CellAlignment::Left,
                Side::Right => CellAlignment::Right,
            });
        }
        for line in table.lines() {
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
}

/// The text a command prints.
#[derive(Debug)]
pub(crate) struct Page {
    style: Style,
    text: String,
}

impl Page {
    /// An empty page.
    pub(crate) const fn new(style: Style) -> Page {
        Page { style, text: String::new() }
    }

    /// A line.
    pub(crate) fn line(&mut self, line: impl Display) {
        let line = line.to_string();
        self.indented("", "", &line);
    }

    /// An empty line.
    pub(crate) fn gap(&mut self) {
        self.text.push('\n');
    }

    /// A heading with a gap before it.
    pub(crate) fn heading(&mut self, heading: impl Display) {
        if !self.text.is_empty() {
            self.gap();
        }
        self.line(heading);
    }

    /// A name and its value, values under each other. Nothing where the value is empty.
    pub(crate) fn field(&mut self, name: &str, value: impl Display) {
        let value = value.to_string();
        if !value.is_empty() {
            // A name that is too long for the column keeps two blanks behind it.
            let first = format!("{:<FIELD_WIDTH$}", format!("{name}  "));
            self.indented(&first, &" ".repeat(first.chars().count()), &value);
        }
    }

    /// An entry of a list.
    pub(crate) fn item(&mut self, item: impl Display) {
        let item = item.to_string();
        self.indented("- ", "  ", &item);
    }

    /// A table; nothing where it is empty.
    pub(crate) fn table(&mut self, table: &Table) {
        if table.is_empty() {
            return;
        }
        match self.style {
            Style::Plain => table.plain(&mut self.text),
            Style::Terminal { width } => table.drawn(width, &mut self.text),
        }
    }

    /// Text behind `first` and, wrapped on a terminal, behind `next` on the following lines.
    fn indented(&mut self, first: &str, next: &str, value: &str) {
        let width = match self.style {
            Style::Plain => usize::MAX,
            Style::Terminal { width } => usize::from(width),
        };
        let indent = next.chars().count();
        let mut line = first.to_owned();
        let mut column = first.chars().count();
        let mut empty = true;
        for piece in visible(value).split(' ').flat_map(|word| pieces(word, width.saturating_sub(indent))) {
            let blank = usize::from(!empty && piece.begins_word);
            if !empty && column.saturating_add(blank + piece.length) > width {
                self.push_line(&line);
                line = next.to_owned();
                column = indent;
            } else if blank > 0 {
                line.push(' ');
                column += blank;
            }
            line.push_str(piece.text);
            column += piece.length;
            empty = false;
        }
        self.push_line(&line);
    }

    fn push_line(&mut self, line: &str) {
        writeln!(self.text, "{}", line.trim_end()).expect("invariant: a String takes everything");
    }

    /// Writes the page to standard output.
    pub(crate) fn print(self) -> io::Result<()> {
        print(&self.text)
    }
}

/// The text with control characters escaped: names come from files, and a file must not steer a terminal
/// or break a line.
pub(crate) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// The first `length` characters, and dots where there were more.
pub(crate) fn shortened(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// A piece of a word that is never broken.
struct Piece<'a> {
    text: &'a str,
    /// In characters.
    length: usize,
    begins_word: bool,
}

/// A word in one piece where it fits in a line, else broken behind its commas: a call as JSON is one word.
fn pieces(word: &str, width: usize) -> impl Iterator<Item = Piece<'_>> {
    let whole = word.chars().count() <= width;
    let parts = word.split_inclusive(move |c| !whole && c == ',');
    // An empty word stands between two blanks.
    let parts = parts.chain(word.is_empty().then_some(""));
    parts.enumerate().map(|(index, text)| Piece {
        text,
        length: text.chars().count(),
        begins_word: index == 0,
    })
}

/// Writes to standard output; a reader that has gone (`| head`) is no error.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_tables_line_up_and_do_not_wrap() {
        let mut table = Table::new([("key", Side::Left), ("bytes", Side::Right), ("note", Side::Left)]);
        table.row(["a".to_owned(), "1,024".to_owned(), "x ".repeat(200)]);
        table.row(["long".to_owned(), "7".to_owned(), String::new()]);
        let mut page = Page::new(Style::Plain);
        page.table(&table);
        let lines: Vec<&str> = page.text.lines().collect();
        assert_eq!(lines[0], "key   bytes  note");
        assert!(lines[1].starts_with("a     1,024  x x"));
        assert_eq!(lines[2], "long      7");
        assert_eq!(lines.len(), 3);
    }

    #[test]
    fn a_file_does_not_steer_the_terminal() {
        let mut table = Table::new([("name", Side::Left)]);
        table.row(["a\u{1b}[2Jb\nc".to_owned()]);
        for style in [Style::Plain, Style::Terminal { width: 80 }] {
            let mut page = Page::new(style);
            page.table(&table);
            page.field("name", "a\u{1b}[2Jb\nc");
            assert!(page.text.chars().all(|c| c == '\n' || !c.is_control()), "{:?}", page.text);
            assert_eq!(page.text.matches("a\\u{1b}[2Jb\\nc").count(), 2, "{}", page.text);
        }
        assert_eq!(shortened("äbc", 3), "äbc");
        assert_eq!(shortened("äbcd", 3), "äbc...");
    }

    #[test]
    fn a_terminal_is_never_overrun() {
        let mut table = Table::new([("key", Side::Left), ("note", Side::Left)]);
        table.row(["a".to_owned(), "some words ".repeat(40)]);
        let mut page = Page::new(Style::Terminal { width: 60 });
        page.table(&table);
        page.field("remedy", "some words ".repeat(40));
        page.item("some words ".repeat(40));
        page.field("call", "{\"a\":1,".repeat(40));
        assert!(page.text.lines().count() > 12);
        for line in page.text.lines() {
            assert!(line.chars().count() <= 60, "{line}");
        }
    }
}
