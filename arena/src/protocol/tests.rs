use super::*;
#[test]
fn look() {
    for s in [
        r#"{'turn': 4}"#,
        r#"{"turn": 4, "move": None}"#,
        r#"{"turn": 4, "move": NaN}"#,
        r#"{"turn": 4, "move": nan}"#,
        r#"{"turn": 4, "move": -Infinity}"#,
        r#"{"turn": 4, "move": -nan}"#,
        r#"{"turn": 4, "move": [1,Infinity]}"#,
        r#"{"turn": 4, "move": True}"#,
        r#"{"turn": 4, "move": tru}"#,
        r#"{"turn": 4, "move": 'b3'}"#,
        r#"{"turn":4,"move":"b3",}"#,
        r#"{"turn":4,"move":[1,2,]}"#,
        "{",
        r#"{"turn":4,"#,
        r#"{"turn":4,"move":"b3"#,
        r#"{"turn":4,"move":"b3"}{"turn":4}"#,
        r#"{"turn":4,"move":"b3"} x"#,
        r#"{"turn":4,"move":"b3"}}"#,
        r#"{"turn":4,"move":1e999}"#,
        r#"{"turn":4,"move":[1e999,2]}"#,
        r#"{"turn":04,"move":1}"#,
        r#"{"turn":4,"move":.5}"#,
        r#"{"turn":4,"move":5.}"#,
        r#"{"turn":4,"move":+5}"#,
        r#"{turn:4}"#,
        r#"{4:4}"#,
        "{\"turn\":4,\"move\":\"b\t3\"}",
        r#"{"turn":4,"move":"b\'3"}"#,
        r#"{"turn":4,"move":"\ud800"}"#,
        r#"{"turn":4,"move":"\uzz00"}"#,
        r#"{"turn":4,"turn":4}"#,
        r#"{"turn":4,"move":{"a":1,"b":[{"c":1,"c":2}]}}"#,
        r#"{"turn":4,"x":{"a":1,"a":1}}"#,
        r#"{"turn":4,"note":{"a":1,"a":1}}"#,
        r#"{"turn":4,"note":NaN}"#,
        r#"{"turn":4,"note":[1,NaN]}"#,
        r#"{"turn":4,"note":{'a':1}}"#,
        r#"{"turn":4,"note":1e999}"#,
        r#"{"turn":4,"note":"\ud800"}"#,
        r#"{"turn":4 "move":1}"#,
        r#"{"turn":4,"move" 1}"#,
        r#"{"turn":4,"move":[1 2]}"#,
        r#"{"turn":4;"move":[1 2]}"#,
        r#"{"turn":4,"move":}"#,
        r#"{"turn":4,,"move":1}"#,
        r#"{"turn":4,"move":undefined}"#,
        "{\"turn\":4,\"move\":\"b\u{201d}3\u{201d}}",
        "{\u{201c}turn\u{201d}:4}",
        r#"{"turn":4,"note":{"a":1}"#,
        r#"{"turn":4,"move":(1,2)}"#,
        r#"{"turn":4,"move":{1,2}}"#,
        r#"{"turn":4,"move":1 // x}"#,
        r#"{}"#,
    ] {
        let t = read_line(s.as_bytes(), false, &Expect::Move { match_id: "m", turn: 4 });
        println!("{s}\n    {t:?}");
    }
    let s = b"{\"turn\":4,\"move\":\"\xffabc\"}";
    println!("{:?}", read_line(s, false, &Expect::Move { match_id: "m", turn: 4 }));
    let s = b"{\"turn\":4,\"note\":[\"\xffabc\"],\"move\":4}";
    println!("{:?}", read_line(s, false, &Expect::Move { match_id: "m", turn: 4 }));
    let s = b"{\"turn\":4,\"n\xffote\":[\"abc\"],\"move\":4}";
    println!("{:?}", read_line(s, false, &Expect::Move { match_id: "m", turn: 4 }));
    let s = b"{\"turn\":4,\"note\":\xff\"abc\",\"move\":4}";
    println!("{:?}", read_line(s, false, &Expect::Move { match_id: "m", turn: 4 }));
}
